const A = 'a8Kd3Lm9Qx2Rt7Vb4Nz6';
const AWS = 'Q3EGRIEPZ7XNW2TD';
const HEX = '0123456789abcdef0123456789abcdef';

/**
 * Made-up keys of every kind that has a form of its own. They are put together here, so that no
 * scanner of repositories takes them for real ones.
 */
export const KEYS: readonly (readonly [kind: string, key: string])[] = [
  ['openai-key', `sk-${A}${A}`],
  ['openai-key', `sk-proj-${A}_${A}`],
  ['anthropic-key', `sk-ant-api03-${A}-${A}`],
  ['openrouter-key', `sk-or-v1-${HEX}`],
  ['aws-access-key', `AKIA${AWS}`],
  ['aws-access-key', `ASIA${AWS}`],
  ['github-token', `ghp_${A}${A.slice(0, 16)}`],
  ['github-token', `gho_${A}${A.slice(0, 16)}`],
  ['github-token', `ghs_${A}${A.slice(0, 16)}`],
  ['github-token', `github_pat_${A}_${A}`],
  ['gitlab-token', `glpat-${A}`],
  ['slack-token', `xoxb-123456789012-${A}`],
  ['stripe-key', `sk_live_${A}`],
  ['stripe-key', `rk_test_${A}`],
  ['google-api-key', `AIza${A}${A.slice(0, 15)}`],
  ['google-token', `ya29.${A}${A}`],
  ['npm-token', `npm_${A}${A.slice(0, 16)}`],
  ['pypi-token', `pypi-${A}${A}`],
  ['twilio-key', `SK${HEX}`],
  ['sendgrid-key', `SG.${A}.${A}${A}`],
  ['huggingface-token', `hf_${A}${A}`],
  ['digitalocean-token', `dop_v1_${HEX}${HEX}`],
  ['vault-token', `hvs.${A}${A}`],
  ['docker-token', `dckr_pat_${A}${A}`],
  ['databricks-token', `dapi${HEX}`],
  ['notion-token', `ntn_${A}${A}${A}`],
  ['mailgun-key', `key-${HEX}`],
  ['groq-key', `gsk_${A}${A}`],
  ['telegram-token', `123456789:AA${A}${A.slice(0, 13)}`],
  ['jwt', `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NSJ9.${A}`],
];
