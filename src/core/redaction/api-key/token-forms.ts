/**
 * Tokens that say what they are: prefixes and shapes that providers publish, so that they can be found.
 */

/** Bodies after a prefix. All end where letters, digits, dashes and underscores do. */
const PREFIXED: readonly string[] = [
  'sk-(?:ant-|proj-|svcacct-|admin-|or-v1-|lf-)?[\\w-]{20,}', // OpenAI, Anthropic, OpenRouter and those that follow them
  '(?:gsk|xai|nvapi|pplx|r8|hf|tgp_v1|fw|csk)[_-][A-Za-z0-9_-]{24,}', // providers of models
  '(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}', // AWS
  'gh[pousr]_[A-Za-z0-9]{36,}',
  'github_pat_\\w{36,}',
  'gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent|imt)-[\\w-]{20,}', // GitLab
  'xox[abceoprs]-[A-Za-z0-9-]{10,}', // Slack
  'xapp-\\d-[A-Za-z0-9-]{20,}',
  'AIza[\\w-]{35}', // Google
  'GOCSPX-[\\w-]{24,}',
  'ya29\\.[\\w-]{20,}',
  '(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,}', // Stripe
  'whsec_[A-Za-z0-9+/=]{24,}',
  'SK[0-9a-f]{32}', // Twilio
  'SG\\.[\\w-]{16,32}\\.[\\w-]{16,64}', // SendGrid
  'key-[0-9a-f]{32}', // Mailgun
  '[0-9a-f]{32}-us\\d{1,2}', // Mailchimp
  'npm_[A-Za-z0-9]{36}',
  'pypi-[\\w-]{50,}',
  'rubygems_[0-9a-f]{48}',
  'cio[A-Za-z0-9]{32}', // crates.io
  'dckr_(?:pat|oat)_[\\w-]{20,}',
  'dop_v1_[0-9a-f]{64}|do[or]_v1_[0-9a-f]{64}', // DigitalOcean
  'dapi[0-9a-f]{32}', // Databricks
  'shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}', // Shopify
  'sq0(?:atp|csp|idp)-[\\w-]{22,}', // Square
  '\\d{8,10}:AA[\\w-]{32,34}', // Telegram
  '[MNO][A-Za-z0-9_-]{23,27}\\.[\\w-]{6}\\.[\\w-]{27,}', // Discord
  'lin_(?:api|oauth)_[A-Za-z0-9]{32,}', // Linear
  'ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43}', // Notion
  'fig[dou]_[\\w-]{36,}', // Figma
  'pat[A-Za-z0-9]{14}\\.[0-9a-f]{64}', // Airtable
  'AT(?:ATT|CTT|BB)[\\w-]{20,}={0,2}', // Atlassian
  'NRAK-[A-Z0-9]{27}', // New Relic
  'sntry[su]_[A-Za-z0-9+/=_-]{32,}', // Sentry
  'gl(?:sa|c)_[A-Za-z0-9+/=_]{32,}', // Grafana
  'ph[cx]_[A-Za-z0-9]{32,}', // PostHog
  'hv[sbr]\\.[\\w-]{24,}', // Vault
  '[A-Za-z0-9]{14}\\.atlasv1\\.[\\w-]{40,}', // Terraform Cloud
  'dp\\.(?:pt|st|ct|sa|scim|audit)\\.[A-Za-z0-9._-]{40,}', // Doppler
  'pul-[0-9a-f]{40}', // Pulumi
  'sb(?:p_|_secret_)[A-Za-z0-9_-]{20,}', // Supabase
  'HRKU-[\\w-]{36,}', // Heroku
  'EAA[A-Za-z0-9]{60,}', // Meta
]

/** JSON Web Tokens and their encrypted kin, by the header that each begins with; also ones that are cut off. */
const JWT =
  'ey(?:JhbGci|J0eXAi|JraWQi|JlbmMi|JjdHki|JjdHki|JqdGki|J2ZXIi|JpdiI6)[\\w-]{8,}(?:\\.[\\w-]*){0,4}'

/** Incoming webhooks carry their secret in the path. */
const WEBHOOK =
  'hooks\\.slack\\.com/(?:services|workflows)/[A-Za-z0-9/]{20,}|discord(?:app)?\\.com/api/webhooks/\\d+/[\\w-]{30,}'

export const TOKEN = new RegExp(
  `(?<![A-Za-z0-9_-])(?:${[...PREFIXED, JWT, WEBHOOK].join('|')})(?![A-Za-z0-9])`,
  'g',
)

/** The key id of a pair, and what a secret of such a pair looks like. */
export const AWS_KEY_ID = /(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z2-7]{16}(?![A-Za-z0-9])/g
export const AWS_SECRET = /(?<![A-Za-z0-9/+=])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/g

/** Prefixes are also syllables: what follows must not read like words. */
export function readsLikeWords(token: string): boolean {
  return !/\d/.test(token) || /^[a-z]{2,4}(?:-[a-z]{1,12}\d?|-\d{1,3})+$/.test(token)
}
