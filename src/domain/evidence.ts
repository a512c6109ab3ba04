/** The largest blob that is kept, bytes: a log or a screenshot, not a recording. */
export const MAX_EVIDENCE_BYTES = 10 * 1024 * 1024;

/** What is evidence's name. */
export const SHA256_HEX = /^[0-9a-f]{64}$/;
