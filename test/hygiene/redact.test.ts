import { array, assert, constantFrom, oneof, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LociError, quote } from '../../src/domain/errors.ts';
import { redact } from '../../src/domain/hygiene/redact.ts';
import { KEYS } from './keys.ts';

function timeOf(text: string): number {
  const startedMs = performance.now();
  redact(text);
  return performance.now() - startedMs;
}

const cleaned = (text: string): string => redact(text).text;

describe('[S4] keys that have a form of their own', () => {
  test.each(KEYS)('%s', (kind, key) => {
    expect(redact(`the key ${key}, in use`)).toEqual({
      text: `the key [redacted:${kind}], in use`,
      kinds: [kind],
    });
    expect(cleaned(`"${key}"`)).toBe(`"[redacted:${kind}]"`);
    expect(cleaned(`看${key}`)).not.toContain(key.slice(-8));
  });

  test('a key of AWS and the secret beside it', () => {
    const text = 'AKIAQ3EGRIEPZ7XNW2TD with kP9+xW2m/Qe7Lr4TzB8vYc1NsD6fJh3GaU5iOoRw';
    expect(cleaned(text)).toBe('[redacted:aws-access-key] with [redacted:aws-secret-key]');
  });

  test('a private key, the whole block, also one that was cut off', () => {
    const block =
      '-----BEGIN EC PRIVATE KEY-----\nMHcCAQEE+x/Q=\noAoGCC\n-----END EC PRIVATE KEY-----';
    expect(cleaned(`before\n${block}\nafter`)).toBe('before\n[redacted:private-key]\nafter');
    expect(cleaned(`before\n${block.slice(0, 60)}`)).toBe('before\n[redacted:private-key]');
    const escaped = JSON.stringify({ key: block });
    expect(cleaned(escaped)).toBe('{"key":"[redacted:private-key]"}');
    const open = '-----BEGIN PUBLIC KEY-----\nMFkw\n-----END PUBLIC KEY-----';
    expect(cleaned(open)).toBe(open);
  });
});

describe('[S4] secrets that are known by what stands before them', () => {
  test.each([
    ['postgres://u:s3cret@db/x', 'postgres://u:[redacted:url-password]@db/x'],
    ['redis://:pa@ss@cache:6379/0', 'redis://:[redacted:url-password]@cache:6379/0'],
    ['amqp://bot:a/b@mq/v', 'amqp://bot:[redacted:url-password]@mq/v'],
    ['export API_TOKEN=9f8e7d6c5b4a', 'export API_TOKEN=[redacted:token]'],
    ['API_TOKEN=9f8e7d6c-5b4a-4321-8765-0123456789ab', 'API_TOKEN=[redacted:token]'],
    ['the password is hunter2.', 'the password is [redacted:password].'],
    [
      'The password for the staging db is Tr0ub4dor&3',
      'The password for the staging db is [redacted:password]',
    ],
    [
      'set the admin password to hunter22, please',
      'set the admin password to [redacted:password], please',
    ],
    ['password: swordfish', 'password: [redacted:password]'],
    ['- password: "open sesame"', '- password: "[redacted:password]"'],
    ['use password `swordfish` there', 'use password `[redacted:password]` there'],
    ['{"db_password":"hunter2","port":1}', '{"db_password":"[redacted:password]","port":1}'],
    ['{\\"password\\":\\"hunter2\\"}', '{\\"password\\":\\"[redacted:password]\\"}'],
    ['clientSecret = "s3cr3t-value-9"', 'clientSecret = "[redacted:secret]"'],
    ['MYSQL_PWD=swordfish mysql', 'MYSQL_PWD=[redacted:password] mysql'],
    ['/cb?access_token=abc123def&user=b', '/cb?access_token=[redacted:token]&user=b'],
    ['Authorization: Bearer abc123def456', 'Authorization: Bearer [redacted:bearer-token]'],
    ['authorization: Basic dXNlcjpwYXNzMTIz', 'authorization: Basic [redacted:basic-auth]'],
    ['X-Api-Key: 7f3kq9x2m1', 'X-Api-Key: [redacted:key]'],
    ['curl -u bob:hunter2 https://a.example', 'curl -u bob:[redacted:password] https://a.example'],
    ['psql --password hunter2', 'psql --password [redacted:password]'],
    ['Das Passwort lautet geheim99', 'Das Passwort lautet [redacted:password]'],
    ['la contraseña es hunter2', 'la contraseña es [redacted:password]'],
    ['密码是hunter2', '密码是[redacted:password]'],
    ['İ password is hunter2', 'İ password is [redacted:password]'],
  ])('%s', (given, kept) => {
    expect(cleaned(given)).toBe(kept);
  });
});

describe('[S4] what is no secret stays', () => {
  test.each([
    'id 550e8400-e29b-41d4-a716-446655440000',
    'Fixed in da39a3ee5e6b4b0d3255bfef95601890afd80709, see a1b2c3d',
    'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    'Version 1.10.2 of v2.0.0-rc.1',
    'password=${DB_PASSWORD} token=<token> API_KEY=YOUR_API_KEY secret=****',
    'token: $(cat token) and {{ secret }}',
    'sk-xxxxxxxxxxxxxxxxxxxx stands for your key',
    'postgres://user:password@localhost/db in the docs',
    'http://localhost:8080/a@b and https://example.org:443',
    'The password is stored in Vault and rotated every 90 days.',
    'The token is expired; the secret is required.',
    'Password reset tokens are sent by mail; passwords are hashed with argon2id.',
    'interface Login { user: string; password: string; token?: string }',
    'const token = await getToken(); password = req.body.password',
    'if (password === confirmation) return token.value',
    'password: process.env.DB_PASSWORD',
    'secret: db-credentials\nsecretName: tls-2',
    'The token budget is 4096, max_tokens: 1000, token count is 120',
    'private_key: /etc/ssl/private/site.pem',
    'docker run --user 1000:1000 app',
    'We use basic authentication; a bearer token is sent along.',
    'The API key is kept in 1Password under op://infra/stripe/key',
    'task-runner and disk-usage-report are scripts',
    'Cache key: user-42-profile, idempotency key: 7c9e6679-7425-40de-944b-e07fc1f90ae7',
    'Password: required, at least 12 characters',
    'password policy: 12 characters; the secretary keeps bob123',
  ])('%s', (text) => {
    expect(redact(text)).toEqual({ text, kinds: [] });
  });
});

test('[A12] what was redacted is not redacted again, and nothing fails', () => {
  const pieces = oneof(
    string(),
    constantFrom(...KEYS.map(([, key]) => key)),
    constantFrom('password is ', 'token=', '"', ': ', 'postgres://u:', '@h', '\n', 'Bearer '),
  );
  assert(
    property(array(pieces, { maxLength: 12 }), (parts) => {
      const once = redact(parts.join(''));
      expect(redact(once.text)).toEqual({ text: once.text, kinds: [] });
    }),
    { numRuns: 300 },
  );
});

test(
  '[A12] no text makes it slow: twice as much takes about twice as long',
  { timeout: 120_000 },
  () => {
    const units = [
      'sk-',
      'eyJaaaaaaaa.',
      'password for ',
      'password: "',
      'x://a:',
      'a',
      'token is ',
    ];
    const more = [
      '-----BEGIN PRIVATE KEY-----',
      'http -u ',
      'ghp_',
      'SG.aaaaaaaaaaaaaaaaaaaa.',
      'x://',
    ];
    for (const unit of [...units, ...more]) {
      const [half, whole] = [500_000, 1_000_000].map((size) =>
        unit.repeat(Math.ceil(size / unit.length)),
      ) as [string, string];
      timeOf(half.slice(0, 10_000));
      // A quadratic rule would take hours for a megabyte; a busy machine may take a few times longer.
      const isLinear = timeOf(whole) < Math.max(2_000, 12 * timeOf(half));
      expect([unit, isLinear]).toEqual([unit, true]);
    }
  },
);

test('[S4] messages of errors hold none, also where they quote a part of a value', () => {
  const [, key] = KEYS[0] as [string, string];
  const error = new LociError('invalid_input', `tags is ${key}`, `Not ${key}.`);
  expect(JSON.stringify(error)).not.toContain(key);
  expect(quote(`${'x'.repeat(60)} ${key}`)).not.toContain(key.slice(0, 12));
  expect(quote({ note: key })).not.toContain(key);
});
