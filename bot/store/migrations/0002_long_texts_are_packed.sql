-- A library takes a third of its former room: long texts are packed, the full-text indexes hold no copies of
-- texts, and what a paper is recognised by is filed in half as many, shorter numbers.

DROP TRIGGER papers_are_indexed;
DROP TRIGGER papers_are_unindexed;
DROP TRIGGER papers_are_reindexed;
DROP TABLE heading_words;
DROP TABLE text_words;
DROP TABLE headings;
DROP TABLE texts;

-- Short fields, word by word, with prefixes: for spelling, completion and the first look.
CREATE VIRTUAL TABLE headings USING fts5 (
    title, aliases, authors, keywords, joined,
    content = '',
    tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
);

CREATE VIRTUAL TABLE heading_words USING fts5vocab ('headings', 'row');

-- Every field, stemmed.
CREATE VIRTUAL TABLE texts USING fts5 (
    title, aliases, authors, keywords, abstract, synopsis,
    content = '',
    tokenize = 'porter unicode61 remove_diacritics 2'
);

CREATE VIRTUAL TABLE text_words USING fts5vocab ('texts', 'row');

INSERT INTO headings (rowid, title, aliases, authors, keywords, joined)
SELECT id, title, aliases, authors, keywords, joined FROM papers;

INSERT INTO texts (rowid, title, aliases, authors, keywords, abstract, synopsis)
SELECT id, title, aliases, authors, keywords, abstract, synopsis FROM papers;

-- The abstract and what each source brought, as bot/store/packing.py packs them.
CREATE TABLE long_texts (
    paper_id      INTEGER PRIMARY KEY REFERENCES papers (id) ON DELETE CASCADE,
    abstract_size INTEGER,
    packed        BLOB    NOT NULL
) STRICT;

INSERT INTO long_texts (paper_id, abstract_size, packed)
SELECT id, length(CAST(abstract AS BLOB)), packed(abstract, (
    SELECT json_group_array(json_array(source, record)) FROM originals WHERE originals.paper_id = papers.id
))
FROM papers;

ALTER TABLE papers DROP COLUMN abstract;

-- How far the best source so far is trusted: 0 a plain list … 3 the publisher.
ALTER TABLE papers ADD COLUMN trust INTEGER NOT NULL DEFAULT 1;

DROP TABLE originals;

CREATE TABLE sources (
    id         INTEGER PRIMARY KEY,
    name       TEXT    NOT NULL UNIQUE,
    -- How many records it brought when it was last read whole; guards against a sudden shrinkage.
    records    INTEGER NOT NULL DEFAULT 0,
    read_at    INTEGER,
    -- Of a site: when it was last asked, last answered, last had a paper that was new; the longest time between
    -- two such, in seconds; what it is asked with next time, as JSON.
    asked_at      INTEGER,
    answered_at   INTEGER,
    new_paper_at  INTEGER,
    longest_gap   INTEGER,
    state         TEXT NOT NULL DEFAULT '{}',
    failing_since INTEGER,
    error      TEXT,
    CHECK ((failing_since IS NULL) = (error IS NULL))
) STRICT;

-- Digests (63 bits) of what a source has brought: a repeated import passes over them.
CREATE TABLE records_seen (
    source_id INTEGER NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
    digest    INTEGER NOT NULL,
    PRIMARY KEY (source_id, digest)
) STRICT, WITHOUT ROWID;

DROP TABLE sketches;

-- Bands of the MinHash of an abstract, and titles: papers that share one are compared. A number may
-- outlive its paper; what it leads to is always looked at.
CREATE TABLE bands (
    band     INTEGER NOT NULL,
    paper_id INTEGER NOT NULL,
    PRIMARY KEY (band, paper_id)
) STRICT, WITHOUT ROWID;

-- What abstracts are known by that the library does not have: the hashes of their runs of words.
DROP TABLE fingerprints;

CREATE TABLE fingerprints (
    paper_id INTEGER PRIMARY KEY REFERENCES papers (id) ON DELETE CASCADE,
    runs     BLOB    NOT NULL
) STRICT;
