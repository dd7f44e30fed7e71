-- Titles, authors and keywords are looked up in memory, so a second index of them is not needed.

DROP TABLE heading_words;
DROP TABLE headings;
DROP TABLE text_words;

ALTER TABLE papers DROP COLUMN joined;
