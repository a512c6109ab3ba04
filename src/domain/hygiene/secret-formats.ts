/** A kind of key that its vendor gave a form of its own. */
interface SecretFormat {
  /** Stands in the placeholder and in receipts. */
  readonly kind: string;
  /** One of these stands in every key of the kind: most texts hold none and are done with. */
  readonly marks: readonly string[];
  /** A regular expression; its first group is the secret, without one the whole match. */
  readonly form: string;
  /** The form alone is not enough: what follows it has to look made by a machine. */
  readonly isLoose?: boolean;
}

/**
 * Forms that vendors document for their keys. Lengths are lower bounds with room below today's: a key
 * that is one character shorter is a key all the same. Each form ends in one run of characters, so
 * that a search is linear in the length of the text.
 */
const FORMATS: readonly SecretFormat[] = [
  { kind: 'anthropic-key', marks: ['sk-ant-'], form: 'sk-ant-[\\w-]{10,}' },
  { kind: 'openrouter-key', marks: ['sk-or-'], form: 'sk-or-[\\w-]{16,}' },
  { kind: 'openai-key', marks: ['sk-'], form: '(?<![_-])sk-[\\w-]{16,}', isLoose: true },
  {
    kind: 'aws-access-key',
    marks: ['AKIA', 'ASIA', 'ABIA', 'ACCA'],
    form: '(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])',
  },
  {
    kind: 'github-token',
    marks: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'],
    form: 'gh[pousr]_[A-Za-z0-9]{16,}',
  },
  { kind: 'github-token', marks: ['github_pat_'], form: 'github_pat_\\w{20,}' },
  {
    kind: 'gitlab-token',
    marks: [
      'glpat-',
      'gloas-',
      'gldt-',
      'glrt-',
      'glcbt-',
      'glptt-',
      'glft-',
      'glimt-',
      'glagent-',
      'glsoat-',
    ],
    form: 'gl(?:pat|oas|dt|rt|cbt|ptt|ft|imt|agent|soat)-[\\w-]{16,}',
  },
  { kind: 'slack-token', marks: ['xox'], form: 'xox[abceoprs]-[A-Za-z0-9-]{10,}' },
  { kind: 'slack-token', marks: ['xapp-'], form: 'xapp-\\d-[A-Za-z0-9-]{10,}' },
  {
    kind: 'slack-webhook',
    marks: ['hooks.slack.com'],
    form: 'hooks\\.slack\\.com/(?:services|workflows)/([\\w/-]{20,})',
  },
  {
    kind: 'discord-webhook',
    marks: ['/api/webhooks/'],
    form: 'discord(?:app)?\\.com/api/webhooks/\\d{5,}/([\\w-]{20,})',
  },
  {
    kind: 'stripe-key',
    marks: ['k_live_', 'k_test_'],
    form: '(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{10,}',
  },
  { kind: 'stripe-key', marks: ['whsec_'], form: 'whsec_[A-Za-z0-9]{16,}' },
  { kind: 'google-api-key', marks: ['AIza'], form: 'AIza[\\w-]{30,}' },
  { kind: 'google-token', marks: ['ya29.'], form: 'ya29\\.[\\w-]{20,}' },
  { kind: 'google-secret', marks: ['GOCSPX-'], form: 'GOCSPX-[\\w-]{20,}' },
  { kind: 'npm-token', marks: ['npm_'], form: 'npm_[A-Za-z0-9]{30,}' },
  { kind: 'pypi-token', marks: ['pypi-'], form: 'pypi-[\\w-]{30,}', isLoose: true },
  { kind: 'twilio-key', marks: ['SK'], form: 'SK[0-9a-f]{32}(?![0-9A-Za-z])' },
  { kind: 'sendgrid-key', marks: ['SG.'], form: 'SG\\.[\\w-]{16,}\\.[\\w-]{16,}' },
  { kind: 'huggingface-token', marks: ['hf_'], form: 'hf_[A-Za-z0-9]{20,}' },
  { kind: 'digitalocean-token', marks: ['_v1_'], form: 'do[opr]_v1_[a-f0-9]{32,}' },
  { kind: 'shopify-token', marks: ['shp'], form: 'shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{24,}' },
  { kind: 'vault-token', marks: ['hvb.', 'hvs.', 'hvr.'], form: 'hv[bsr]\\.[\\w-]{20,}' },
  { kind: 'docker-token', marks: ['dckr_'], form: 'dckr_(?:pat|oat)_[\\w-]{20,}' },
  { kind: 'databricks-token', marks: ['dapi'], form: 'dapi[0-9a-f]{32}(?![0-9A-Za-z])' },
  { kind: 'linear-key', marks: ['lin_'], form: 'lin_(?:api|oauth)_[A-Za-z0-9]{20,}' },
  { kind: 'notion-token', marks: ['ntn_', 'secret_'], form: '(?:ntn|secret)_[A-Za-z0-9]{40,}' },
  { kind: 'mailgun-key', marks: ['key-'], form: 'key-[0-9a-f]{32}(?![0-9A-Za-z])' },
  { kind: 'grafana-token', marks: ['glsa_'], form: 'glsa_[A-Za-z0-9]{20,}' },
  { kind: 'sentry-token', marks: ['sntry'], form: 'sntry[su]_[\\w+/=.-]{20,}' },
  { kind: 'new-relic-key', marks: ['NRAK-'], form: 'NRAK-[A-Z0-9]{20,}' },
  { kind: 'groq-key', marks: ['gsk_'], form: 'gsk_[A-Za-z0-9]{20,}' },
  { kind: 'xai-key', marks: ['xai-'], form: 'xai-[A-Za-z0-9]{20,}', isLoose: true },
  { kind: 'perplexity-key', marks: ['pplx-'], form: 'pplx-[A-Za-z0-9]{20,}' },
  { kind: 'replicate-token', marks: ['r8_'], form: 'r8_[A-Za-z0-9]{20,}' },
  { kind: 'voyage-key', marks: ['pa-'], form: '(?<![_-])pa-[\\w-]{30,}', isLoose: true },
  {
    kind: 'supabase-key',
    marks: ['sbp_', 'sb_secret_'],
    form: 'sb(?:p|_secret)_[A-Za-z0-9_-]{20,}',
  },
  {
    kind: 'doppler-token',
    marks: ['dp.'],
    form: 'dp\\.(?:pt|st|ct|sa|scim|audit)\\.[A-Za-z0-9]{30,}',
  },
  { kind: 'figma-token', marks: ['figd_'], form: 'figd_[\\w-]{20,}' },
  { kind: 'postman-key', marks: ['PMAK-'], form: 'PMAK-[A-Za-z0-9-]{20,}' },
  { kind: 'atlassian-token', marks: ['ATATT3'], form: 'ATATT3[\\w=-]{20,}' },
  { kind: 'telegram-token', marks: [':AA'], form: '\\d{8,10}:AA[\\w-]{30,40}' },
  { kind: 'age-key', marks: ['AGE-SECRET-KEY-'], form: 'AGE-SECRET-KEY-1[A-Z0-9]{30,}' },
  { kind: 'jwt', marks: ['eyJ'], form: 'eyJ[\\w-]{8,}\\.eyJ[\\w-]{8,}\\.[\\w-]*' },
  { kind: 'azure-signature', marks: ['sig='], form: '[?&]sig=([\\w%+/=-]{20,})' },
];

/** The formats as they are searched for: at the beginning of a run of letters and digits. */
export const SECRET_FORMATS = FORMATS.map(({ kind, marks, form, isLoose = false }) => {
  return { kind, marks, isLoose, pattern: new RegExp(`(?<![A-Za-z0-9])(?:${form})`, 'g') };
});

/** Whether a mark of any of them stands in a text, in one pass. */
export const HAS_MARK = new RegExp(
  FORMATS.flatMap(({ marks }) => marks)
    .map((mark) => mark.replaceAll('.', '\\.'))
    .join('|'),
);
