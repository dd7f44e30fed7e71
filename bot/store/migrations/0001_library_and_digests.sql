-- All times are whole seconds of UTC since 1970; all dates are ISO text.
-- Lists (authors, keywords, aliases) are JSON arrays of text.

CREATE TABLE papers (
    id           INTEGER PRIMARY KEY,
    title        TEXT    NOT NULL CHECK (title <> ''),
    title_made   INTEGER NOT NULL DEFAULT 0 CHECK (title_made IN (0, 1)),
    abstract     TEXT,
    synopsis     TEXT,
    authors      TEXT    NOT NULL DEFAULT '[]',
    keywords     TEXT    NOT NULL DEFAULT '[]',
    aliases      TEXT    NOT NULL DEFAULT '[]',
    venue        TEXT,
    year         INTEGER,
    track        TEXT,
    url          TEXT,
    published_on TEXT,
    added_at     INTEGER NOT NULL,
    -- Words as they are typed by people who leave hyphens out: "AP-Perf" is also "apperf".
    joined       TEXT    NOT NULL DEFAULT ''
) STRICT;

CREATE INDEX papers_by_venue ON papers (venue, year);
CREATE INDEX papers_by_added ON papers (added_at, id);

-- scheme:value; one identifier belongs to one paper.
CREATE TABLE identifiers (
    name     TEXT    PRIMARY KEY,
    paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX identifiers_by_paper ON identifiers (paper_id);

-- What each source brought, as it came; digest guards a repeated import.
CREATE TABLE originals (
    paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
    source   TEXT    NOT NULL,
    digest   TEXT    NOT NULL,
    record   TEXT    NOT NULL,
    PRIMARY KEY (source, digest)
) STRICT, WITHOUT ROWID;

CREATE INDEX originals_by_paper ON originals (paper_id);

-- Bands of a MinHash sketch of an abstract: papers that share one are compared.
CREATE TABLE sketches (
    band     INTEGER NOT NULL,
    paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
    PRIMARY KEY (band, paper_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX sketches_by_paper ON sketches (paper_id);

-- The whole sketch, so that two papers can be compared without their texts.
CREATE TABLE fingerprints (
    paper_id INTEGER PRIMARY KEY REFERENCES papers (id) ON DELETE CASCADE,
    sketch   BLOB    NOT NULL
) STRICT;

-- Short fields, word by word, with prefixes: for spelling, completion and the first look.
CREATE VIRTUAL TABLE headings USING fts5 (
    title, aliases, authors, keywords, joined,
    content = 'papers', content_rowid = 'id',
    tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
);

CREATE VIRTUAL TABLE heading_words USING fts5vocab ('headings', 'row');

-- Every field, stemmed.
CREATE VIRTUAL TABLE texts USING fts5 (
    title, aliases, authors, keywords, abstract, synopsis,
    content = 'papers', content_rowid = 'id',
    tokenize = 'porter unicode61 remove_diacritics 2'
);

CREATE VIRTUAL TABLE text_words USING fts5vocab ('texts', 'row');

CREATE TRIGGER papers_are_indexed AFTER INSERT ON papers BEGIN
    INSERT INTO headings (rowid, title, aliases, authors, keywords, joined)
    VALUES (new.id, new.title, new.aliases, new.authors, new.keywords, new.joined);
    INSERT INTO texts (rowid, title, aliases, authors, keywords, abstract, synopsis)
    VALUES (new.id, new.title, new.aliases, new.authors, new.keywords, new.abstract, new.synopsis);
END;

CREATE TRIGGER papers_are_unindexed AFTER DELETE ON papers BEGIN
    INSERT INTO headings (headings, rowid, title, aliases, authors, keywords, joined)
    VALUES ('delete', old.id, old.title, old.aliases, old.authors, old.keywords, old.joined);
    INSERT INTO texts (texts, rowid, title, aliases, authors, keywords, abstract, synopsis)
    VALUES ('delete', old.id, old.title, old.aliases, old.authors, old.keywords, old.abstract, old.synopsis);
END;

CREATE TRIGGER papers_are_reindexed
AFTER UPDATE OF title, aliases, authors, keywords, joined, abstract, synopsis ON papers BEGIN
    INSERT INTO headings (headings, rowid, title, aliases, authors, keywords, joined)
    VALUES ('delete', old.id, old.title, old.aliases, old.authors, old.keywords, old.joined);
    INSERT INTO texts (texts, rowid, title, aliases, authors, keywords, abstract, synopsis)
    VALUES ('delete', old.id, old.title, old.aliases, old.authors, old.keywords, old.abstract, old.synopsis);
    INSERT INTO headings (rowid, title, aliases, authors, keywords, joined)
    VALUES (new.id, new.title, new.aliases, new.authors, new.keywords, new.joined);
    INSERT INTO texts (rowid, title, aliases, authors, keywords, abstract, synopsis)
    VALUES (new.id, new.title, new.aliases, new.authors, new.keywords, new.abstract, new.synopsis);
END;

-- Counts changes to papers, so that what is kept in memory knows when it is stale.
CREATE TABLE library_version (
    only    INTEGER PRIMARY KEY CHECK (only = 1),
    version INTEGER NOT NULL
) STRICT;

INSERT INTO library_version (only, version) VALUES (1, 0);

-- Papers that a channel's random picks have shown in the present round.
CREATE TABLE picks (
    channel_id INTEGER NOT NULL,
    paper_id   INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
    picked_at  INTEGER NOT NULL,
    PRIMARY KEY (channel_id, paper_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE guilds (
    guild_id INTEGER PRIMARY KEY,
    zone     TEXT    NOT NULL,
    left_at  INTEGER
) STRICT;

CREATE TABLE subscriptions (
    id               INTEGER PRIMARY KEY AUTOINCREMENT,
    guild_id         INTEGER NOT NULL,
    channel_id       INTEGER NOT NULL,
    user_id          INTEGER NOT NULL,
    number           INTEGER NOT NULL CHECK (number >= 1),
    query            TEXT    NOT NULL,
    days             TEXT    NOT NULL CHECK (days <> '' AND days NOT GLOB '*[^0-6]*'),
    at               TEXT    NOT NULL CHECK (at GLOB '[0-2][0-9]:[0-5][0-9]'),
    zone             TEXT    NOT NULL,
    size             INTEGER NOT NULL CHECK (size BETWEEN 1 AND 10),
    role_id          INTEGER,
    fill_up          INTEGER NOT NULL CHECK (fill_up IN (0, 1)),
    speak_when_empty INTEGER NOT NULL CHECK (speak_when_empty IN (0, 1)),
    state            TEXT    NOT NULL CHECK (state IN ('active', 'paused')),
    pause_reason     TEXT,
    next_due_at      INTEGER,
    created_at       INTEGER NOT NULL,
    CHECK ((state = 'active') = (next_due_at IS NOT NULL)),
    CHECK ((state = 'paused') = (pause_reason IS NOT NULL)),
    UNIQUE (guild_id, number)
) STRICT;

CREATE INDEX subscriptions_due ON subscriptions (next_due_at) WHERE state = 'active';
CREATE INDEX subscriptions_by_channel ON subscriptions (channel_id);

CREATE TABLE editions (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    subscription_id INTEGER NOT NULL REFERENCES subscriptions (id) ON DELETE CASCADE,
    number          INTEGER NOT NULL,
    local_date      TEXT    NOT NULL,
    due_at          INTEGER NOT NULL,
    composed_at     INTEGER NOT NULL,
    state           TEXT    NOT NULL CHECK (state IN ('composed', 'empty', 'skipped')),
    why             TEXT,
    UNIQUE (subscription_id, local_date)
) STRICT;

-- A paper comes once to a subscription, ever.
CREATE TABLE edition_papers (
    subscription_id INTEGER NOT NULL REFERENCES subscriptions (id) ON DELETE CASCADE,
    paper_id        INTEGER NOT NULL,
    edition_id      INTEGER NOT NULL REFERENCES editions (id) ON DELETE CASCADE,
    position        INTEGER NOT NULL,
    PRIMARY KEY (subscription_id, paper_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX edition_papers_by_edition ON edition_papers (edition_id, position);

CREATE TABLE deliveries (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    edition_id      INTEGER NOT NULL REFERENCES editions (id) ON DELETE CASCADE,
    subscription_id INTEGER NOT NULL REFERENCES subscriptions (id) ON DELETE CASCADE,
    part            INTEGER NOT NULL CHECK (part >= 0),
    channel_id      INTEGER NOT NULL,
    payload         TEXT    NOT NULL,
    nonce           TEXT    NOT NULL UNIQUE CHECK (length(nonce) BETWEEN 1 AND 25),
    state           TEXT    NOT NULL DEFAULT 'pending'
        CHECK (state IN ('pending', 'sending', 'sent', 'failed', 'skipped', 'unknown')),
    attempt         INTEGER NOT NULL DEFAULT 0,
    next_attempt_at INTEGER NOT NULL,
    expires_at      INTEGER NOT NULL,
    lease_owner     TEXT,
    lease_until     INTEGER,
    doubt_since     INTEGER,
    message_id      INTEGER,
    why             TEXT,
    settled_at      INTEGER,
    CHECK ((state = 'sending') = (lease_owner IS NOT NULL)),
    UNIQUE (edition_id, part)
) STRICT;

CREATE INDEX deliveries_pending ON deliveries (next_attempt_at, id) WHERE state = 'pending';
CREATE INDEX deliveries_leased ON deliveries (lease_until) WHERE state = 'sending';
CREATE INDEX deliveries_by_channel ON deliveries (channel_id, state);

-- Small facts about this installation, such as the digest of the commands last synced.
CREATE TABLE facts (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
