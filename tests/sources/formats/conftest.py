"""One small file of our own in every format, in the shape in which sites and programs write it."""

import json
from pathlib import Path

import pytest

from bot.models import Refusal
from bot.sources.files import FileSource

ABSTRACT = (
    "Harbour pilots plan every arrival around the tide, yet their tables were fitted to the sea floor of forty years "
    "ago. We propose a residual network that learns from eleven days of gauge readings what the table does not know."
)

NOTE = {
    "id": "abCDefGH12",
    "forum": "abCDefGH12",
    "pdate": 1705410000000,
    "ddate": None,
    "content": {
        "title": {"value": "Tides, Learnt"},
        "authors": {"value": ["Ada Lovelace", "Grace Hopper"]},
        "abstract": {"value": ABSTRACT},
        "keywords": {"value": ["tides"]},
        "TLDR": {"value": "Tides can be learnt."},
        "venue": {"value": "ICLR 2024 poster"},
        "venueid": {"value": "ICLR.cc/2024/Conference"},
    },
}

FILES = {
    "feed": f"""<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:arxiv="http://arxiv.org/schemas/atom">
<entry><id>http://arxiv.org/abs/2401.00001v3</id><title>Tides,
  Learnt</title><published>2024-01-02T00:00:00Z</published>
<summary>{ABSTRACT}</summary><author><name>Ada Lovelace</name></author><author><name>Grace Hopper</name></author>
<arxiv:doi>10.1000/XYZ</arxiv:doi><link href="http://arxiv.org/abs/2401.00001v3" rel="alternate"/></entry></feed>""",
    "oai": f"""<?xml version="1.0" encoding="UTF-8"?>
<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><ListRecords>
<record><header status="deleted"><identifier>oai:x:1</identifier></header></record>
<record><header><identifier>oai:arXiv.org:2401.00001</identifier></header><metadata>
<arXiv xmlns="http://arxiv.org/OAI/arXiv/"><id>2401.00001</id><created>2024-01-02</created>
<authors><author><keyname>Lovelace</keyname><forenames>Ada</forenames></author></authors>
<title>Tides, Learnt</title><abstract>{ABSTRACT}</abstract></arXiv></metadata></record></ListRecords></OAI-PMH>""",
    "acl": f"""<?xml version='1.0' encoding='UTF-8'?>
<collection id="2024.sea"><volume id="1"><meta>
<booktitle>Proceedings of the 3rd Sea Conference</booktitle><year>2024</year><venue>sea</venue></meta>
<frontmatter><url>2024.sea-1.0</url></frontmatter>
<paper id="1"><title>Tides of <fixed-case>NLP</fixed-case> in <tex-math>O(n)</tex-math></title>
<author><first>Ada</first><last>Lovelace</last></author><abstract>{ABSTRACT}</abstract>
<url>2024.sea-1.1</url><doi>10.1000/sea.1</doi></paper>
<paper id="2"><title>Withdrawn Waters</title><retracted/><url>2024.sea-1.2</url></paper></volume></collection>""",
    "json": json.dumps({"notes": [NOTE, {**NOTE, "id": "xyXYxyXY12"}], "count": 2}, indent=1),
    "jsonl": "\n".join(json.dumps({"title": f"Tides {n}", "abstract": ABSTRACT}) for n in "ab"),
    "bibtex": f"""@string{{sea = "Sea Journal"}}
@article{{a, title = {{{{TIDES}}: Learnt}}, author = {{Lovelace, Ada and Hopper, Grace and others}},
  journal = sea, year = 2024, doi = {{10.1000/ABC}}, abstract = {{{ABSTRACT}}}}}
@inproceedings{{a, title = {{Bees}}, author = {{Grace Hopper}}, booktitle = {{The Twelfth International Conference
  on Learning Representations, {{ICLR}} 2024}}, url = {{https://openreview.net/forum?id=abCDefGH12}}}}""",
    "ris": f"""TY  - JOUR
TI  - Tides, Learnt
AU  - Lovelace, Ada
AU  - Hopper, Grace
PY  - 2024/05/07
AB  - {ABSTRACT}
DO  - 10.1000/ABC
ER  - """,
    "csv": f'Year,Author,Title,Url,Abstract Note\n2024,"Lovelace, Ada; Hopper, Grace","Tides, ""Learnt""",'
    f'https://openreview.net/forum?id=abCDefGH12,"{ABSTRACT}"\n2024,Grace Hopper,"Bees\nHum",,\n',
    "markdown": f"""# Sea papers of ICLR 2024

- **[Tides, Learnt by Many](https://arxiv.org/abs/2401.00001)** _Ada Lovelace, Grace Hopper_
- [code](https://github.com/x/y)

### Bees Hum at Night
- **Abstract**: {ABSTRACT}
- **OpenReview**: https://openreview.net/forum?id=abCDefGH12
""",
    "list": f"ICLR 2024 Papers\n\n{ABSTRACT}\n\n{ABSTRACT.replace('tide', 'wind')}\n",
}
"""What each holds: a paper called after the tides, and mostly a second record."""


@pytest.fixture
def put(tmp_path: Path):
    """Write a file and return what is found in it: the raw papers and the refusals."""

    def run(content: str | bytes, **options):
        path = tmp_path / "something"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        found = list(FileSource(path, **options).read())
        return [one for one in found if not isinstance(one, Refusal)], [
            one for one in found if isinstance(one, Refusal)
        ]

    return run
