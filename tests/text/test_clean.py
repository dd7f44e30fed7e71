import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.text.clean import clean_text

PIECES = [
    "&amp;", "&lt;", "i&gt;", "<i>", "</i>", "<sub>2</sub>", "-\n", "\r\n", "\xad", "\x02", "\u200d", "\u2028",
    "ﬁ", "Ã©", "â\x80\x99", "\x93", "é", "�", "\x08eta", "#8217;", "amp;", "well", "de", "Net", " ", "a", "<",
    ">", "&", "- ", "exper- imental", "mental", "\xad ", "\\u2019", "\x85",
]  # fmt: skip


FRAGMENTS = st.lists(
    st.sampled_from(PIECES),
    max_size=12,
).map("".join)


@pytest.mark.parametrize(
    ("dirty", "clean"),
    [
        ("Title\n  continued", "Title continued"),
        ("we study de-\nnoising of images", "we study denoising of images"),
        ("with self-\nattention layers", "with self-attention layers"),
        ("a state-of-the-\nart model", "a state-of-the-art model"),
        ("the C2F-\nNet model", "the C2F-Net model"),
        ("pre-\nand post-training", "pre- and post-training"),
        ("simul\x02taneous and self\x02supervised", "simultaneous and self-supervised"),
        ("it\u2019s a \ufb01ne \ufb02ow", "it’s a fine flow"),
        ("don&amp;#8217;t &quot;stop&quot; at &#x27;once&#x27;", "don’t \"stop\" at 'once'"),
        ("R&amp;amp;D at AT&T", "R&D at AT&T"),
        ("a < b and c > d, List<int>, $5 and 50%", "a < b and c > d, List<int>, $5 and 50%"),
        ("p &lt; 0.05 and List&lt;int&gt;", "p < 0.05 and List<int>"),
        ("<jats:p>An <jats:italic>F</jats:italic> score</jats:p>", "An F score"),
        ("<p>One</p><p>Two</p>", "One Two"),
        ("10<sup>6</sup> of H<sub>2</sub>O", "10⁶ of H₂O"),
        ("an <i>old</i> idea", "an old idea"),
        ("the set <i> of items", "the set <i> of items"),
        ("triplets <sub, pred, obj> in a graph", "triplets <sub, pred, obj> in a graph"),
        ("&lt;b&gt;bold&lt;/b&gt; claim", "bold claim"),
        ("<tex-math>\\mathcal{P}^2</tex-math> nets", "$\\mathcal{P}^2$ nets"),
        ("a naÃ¯ve FranÃ§ois", "a naïve François"),
        ("McDonaldâ\x80\x99s â\x80\x93 a study", "McDonald’s – a study"),
        ("a fa\xe7ade, Ångström, Ã is a letter", "a façade, Ångström, Ã is a letter"),
        ("\x93quoted\x94", "“quoted”"),
        ("Saarbru\u0308cken", "Saarbrücken"),
        ("re\xadsources with zero\u200bwidth \ufeffmarks", "resources with zerowidth marks"),
        ("a\u2028b\u2029c\xa0d\te", "a b c d e"),
        ("nul\x00l and bell\x07", "null and bell"),
        ("$\x08eta$ and $\x0crac{a}{b}$", "$\\beta$ and $\\frac{a}{b}$"),
        ("SPANAM\uf6da works", "SPANAM works"),
        ("\ud835\udc65 alone \ud835", "𝑥 alone \ufffd"),
        ("👩\u200d🔬 and ✔️", "👩\u200d🔬 and ✔️"),
        ("an exper- imental study of re- lations", "an experimental study of re- lations"),
        ("each net- work in a network of networks", "each network in a network of networks"),
        ("multi- agent games, as multi-agent systems", "multi-agent games, as multi-agent systems"),
        ("short- and long-term, a - b, pre- or post-", "short- and long-term, a - b, pre- or post-"),
        ("subjects of a self-\nmade kind, and selfmade ones", "subjects of a selfmade kind, and selfmade ones"),
        ("noun\xad noun, wh\xad or that, Nets \xad a way", "noun-noun, wh- or that, Nets - a way"),
        ("a bird\\u2019s caf\\u00e9, \\unit and \\u0007", "a bird’s café, \\unit and \\u0007"),
        ("l’été à l’école, “écoles” – élèves", "l’été à l’école, “écoles” – élèves"),
        ("", ""),
        (" \n\t ", ""),
    ],
)
def test_what_broke_on_the_way_is_mended_and_the_rest_stays(dirty: str, clean: str):
    assert clean_text(dirty) == clean


@given(st.one_of(FRAGMENTS, st.text(max_size=60), st.text(st.characters(), max_size=30)))
@settings(max_examples=300, deadline=None)
def test_cleaning_twice_changes_nothing(text: str):
    once = clean_text(text)

    assert clean_text(once) == once
    assert once == " ".join(once.split())
    once.encode("utf-8")


@pytest.mark.parametrize(
    "piece",
    ["<", "&amp;", "<sub>", "a-\n", "Ã©", "<su", "\u200d", "\n", "<i x", "&#38;", "ab- cd ", "- ", "\\u2019", "é"],
)
def test_the_cost_of_hostile_text_grows_with_its_length(grows_with_its_input, piece: str):
    grows_with_its_input(lambda size: clean_text(piece * (size // len(piece))), 12_500)


def test_real_broken_snippets_come_out_whole(shared_data: Path):
    lines = (shared_data / "nasty_text.jsonl").read_text(encoding="utf-8").split("\n")
    cleaned = [(row["cls"], clean_text(row["text"])) for row in map(json.loads, filter(None, lines))]

    assert len(cleaned) > 50
    junk = re.compile(r"[\x00-\x1f\x7f-\x9f\xad\u2028\u2029\ufb00-\ufb06\ue000-\uf8ff]|[âÃ][\x80-\xbf€™œ]")
    assert [(kind, text) for kind, text in cleaned if junk.search(text)] == []
