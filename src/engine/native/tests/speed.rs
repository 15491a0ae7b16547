//! How long translating takes.
