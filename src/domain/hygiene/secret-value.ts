import { ENGLISH } from '../text/stop-words.ts';

/** How a value stands beside the word that names it. */
export interface ValueForm {
  /** What the name promises: a password can be anything, the others are made by machines. */
  readonly isPassword: boolean;
  readonly isQuoted: boolean;
  /** Like an environment variable or a query string: `NAME=value`. */
  readonly isTight: boolean;
  /** Nothing else stands on the line. */
  readonly isWholeLine: boolean;
}

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** What stands after `password:` or `token is` and is not one: types, states, places, algorithms. */
const NO_SECRET = words(`
string str text varchar char bytes byte buffer boolean bool number int integer float any unknown
object array map list optional required nullable none null nil undefined true false yes no on off
password passwd pwd passphrase secret secrets token tokens key keys apikey credential credentials
hidden sensitive masked encrypted hashed salted plaintext plain raw opaque random unique default
env environment vault keychain keyring bitwarden lastpass keepass 1password onepassword okta ldap
oauth oauth1 oauth2 oidc saml sso kerberos pam jwt bearer basic digest hmac
bcrypt argon argon2 argon2id argon2i scrypt pbkdf2 sha1 sha2 sha256 sha384 sha512 md5 aes aes128
aes256 rsa rsa2048 rsa4096 ed25519 base32 base64 base64url hex utf8 utf16 ascii uuid uuid4 uuidv4
ulid pkcs8 x509
missing unset empty invalid expired valid unchanged rotated revoked generated wrong correct same
changeme change-me change_me example sample dummy fake placeholder foo bar baz value
here there todo tbd redacted removed stored kept set input param parameter argument field column
`);

const PLACEHOLDER = /^(?:your|insert|replace|enter|put|use|some|my)[-_ ]/i;
const BLANKED = /^[*•.x#_-]+$/i;
const REFERENCE =
  /^(?:\.{0,2}\/|~\/|[A-Za-z]:\\|[a-z][a-z0-9+-]*:\/\/|(?:arn|env|ssm|vault|op|file|secret|ref):)/i;
const FILE = /\.(?:pem|key|pub|crt|txt|json|ya?ml|toml|env|ts|js|py|md)$/i;
const CODE = /[(){}]|::|=>|\w\[|\]$/;
const DOTTED = /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$/;
const CONSTANT = /^[A-Z][A-Z_]+$/;
const FIGURES = /^v?[\d.,:+%–-]+$/i;

/**
 * Whether a value is a secret that must not be kept, and not a type, a reference, a placeholder or a
 * word of the sentence.
 */
export function isSecretValue(value: string, form: ValueForm): boolean {
  const { isPassword, isQuoted, isTight, isWholeLine } = form;
  if (isReference(value)) return false;
  const digits = count(value, /\d/g);
  if (digits === value.length) return isPassword && digits >= 4;
  if (FIGURES.test(value)) return false;
  if (/\s/.test(value)) return isQuoted && isPassword && !isSentence(value);
  const isMixed = digits > 0 || /[^\p{L}\p{M}._-]/u.test(value);
  if (isPassword) {
    if (isMixed) return value.length >= 4 && !isNamed(value);
    return (isQuoted || isTight || isWholeLine) && value.length >= 4;
  }
  if (isTight && !isNamed(value)) return value.length >= 6;
  if (isIdentifier(value)) return false;
  if (isMixed) return value.length >= 6 && isRandom(value);
  return value.length >= 6 && (isQuoted ? !/[._-]/.test(value) : isRandom(value));
}

/** Whether a run of characters looks made by a machine: digits among letters, or mixed case. */
export function isRandom(text: string): boolean {
  if (isBlanked(text)) return false;
  const [upper, lower] = [count(text, /[A-Z]/g), count(text, /[a-z]/g)];
  if (/\d/.test(text) && upper + lower > 0) return true;
  return text.length >= 12 && upper >= 3 && lower >= 3;
}

/** Whether the end of a key was blanked out: `sk-xxxxxxxxxxxxxxxx`. */
export function isBlanked(text: string): boolean {
  return /[x*•.#_-]{8}$/i.test(text);
}

function isReference(value: string): boolean {
  const plain = value.toLowerCase();
  return (
    value.length === 0 ||
    /^[<[{(%$]/.test(value) ||
    (value.length >= 3 && BLANKED.test(value)) ||
    NO_SECRET.has(plain) ||
    PLACEHOLDER.test(value) ||
    REFERENCE.test(value) ||
    FILE.test(value) ||
    CODE.test(value) ||
    DOTTED.test(value) ||
    CONSTANT.test(value)
  );
}

/** Made of words that name no secret: `sha256-hashed`, `base64`. */
function isNamed(value: string): boolean {
  const parts = value.toLowerCase().split(/[-_./]/);
  return parts.every((part) => NO_SECRET.has(part) || (parts.length > 1 && /^[a-z]*$/.test(part)));
}

/** The name of something: `db-credentials`, `session_token`, `postgres-v2`. */
function isIdentifier(value: string): boolean {
  return /^[a-z]+\d{0,2}(?:[-_.](?:[a-z]+\d{0,2}|v\d{3}|\d{1,3}))+$/i.test(value);
}

/** Rules about a password are prose, a passphrase is not: it has no function words. */
function isSentence(value: string): boolean {
  const all = value.toLowerCase().split(/\s+/);
  return all.length < 2 || all.some((word) => ENGLISH.has(word));
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
