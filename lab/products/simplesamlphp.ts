import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { phpModules, phpPackages, phpServer } from '../src/debian-parts.ts'
import { startInRoot } from '../src/debian-root.ts'
import type { Person } from '../src/lab-person.ts'
import type { Product } from '../src/lab-product.ts'
import { type Credentials, wrongPassword } from '../src/login-flows.ts'

const host = 'sso.acme-works.example'
const appHost = 'travel.bluebird.example'
const accounts = [
  { user: 'ada.byron', password: 'Nectar-Pulley-6174' },
  { user: 'grace.murray', password: 'Sandal-Glacier-2839' },
] as const
const provider = 'ACME_SIGN_IN'
const signIn = '/module.php/core/authenticate.php?as=users'
const app = `https://${appHost}/module.php/core/authenticate.php?as=app`
const acs = `https://${appHost}/module.php/saml/sp/saml2-acs.php/app`
const signedIn = 'a[href*="logout"]'

/** Catalog entry of the organization's provider. */
const entry = {
  appType: provider,
  friendlyName: 'Acme Sign-in',
  website: `https://${host}`,
  description: 'Signs employees in.',
  domains: [host],
  loginHosts: [host],
  identityProvider: provider,
  brandWords: ['Acme'],
}

const settings = `
$config['baseurlpath'] = 'https://' . ($_SERVER['HTTP_HOST'] ?? '${host}') . '/';
$config['certdir'] = '/lab/'; $config['secretsalt'] = 'lab'; $config['auth.adminpassword'] = 'lab';
$config['enable.saml20-idp'] = true; $config['logging.handler'] = 'errorlog';
$config['module.enable']['exampleauth'] = true;
$config['store.type'] = 'phpsession'; $config['session.cookie.secure'] = true;
`
const users = accounts.map(({ user, password }) => `'${user}:${password}' => ['uid' => ['${user}']],`)
const sources = `<?php
$config = [
  'admin' => ['core:AdminPassword'],
  'users' => ['exampleauth:UserPass', ${users.join(' ')}],
  'app' => ['saml:SP', 'entityID' => 'https://${appHost}/', 'idp' => 'https://${host}/'],
];
`
const hosted = `<?php
$metadata['https://${host}/'] = ['host' => '__DEFAULT__', 'privatekey' => 'idp.key', 'certificate' => 'idp.crt',
  'auth' => 'users', 'userid.attribute' => 'uid'];
`
const remote = (certificate: string): string => `<?php
$metadata['https://${host}/'] = ['SingleSignOnService' => 'https://${host}/saml2/idp/SSOService.php',
  'SingleLogoutService' => 'https://${host}/saml2/idp/SingleLogoutService.php',
  'certData' => '${certificate.replaceAll(/-----.*?-----|\s/g, '')}'];
`
const relyingParty = `<?php
$metadata['https://${appHost}/'] = ['AssertionConsumerService' => '${acs}'];
`

async function submitCredentials(person: Person, { user, password }: Credentials): Promise<void> {
  await person.type('#username', user)
  await person.type('#password', password)
  await person.press('Enter')
}

export const product: Product = {
  name: 'simplesamlphp',
  host,
  packages: { debian: phpPackages },
  start: async (stage) => {
    const port = await stage.serve(host)
    const appPort = await stage.serve(appHost)
    const { muster } = stage
    await muster.command('catalog add', muster.file('own-provider.json', JSON.stringify(entry)))
    stage.defer(async () => {
      await muster.command(`catalog remove ${provider}`)
    })
    const key = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=lab']
    await stage.exec('openssl', [...key, '-keyout', 'idp.key', '-out', 'idp.crt'])
    await startInRoot(stage, {
      port,
      path: '/module.php/core/loginuserpass.php',
      files: {
        'more.php': settings,
        'authsources.php': sources,
        'saml20-idp-hosted.php': hosted,
        'saml20-idp-remote.php': remote(readFileSync(join(stage.data, 'idp.crt'), 'utf8')),
        'saml20-sp-remote.php': relyingParty,
      },
      script: `${phpModules}
chmod 644 idp.key
echo '<?php' > /var/lib/simplesamlphp/secrets.inc.php
cat more.php >> /etc/simplesamlphp/config.php
cp authsources.php /etc/simplesamlphp/
cp saml20-*.php /etc/simplesamlphp/metadata/
mkdir -p /var/log/simplesamlphp
${phpServer(port, '/usr/share/simplesamlphp/www')}
${phpServer(appPort, '/usr/share/simplesamlphp/www')}`,
    })
  },
  login: {
    path: signIn,
    user: '#username',
    password: '#password',
    signedIn,
    accounts,
  },
  flows: [
    {
      name: 'app by SAML',
      run: async (person) => {
        await person.open(app)
        await submitCredentials(person, accounts[0])
        await person.arrive(/^https:\/\/travel\.bluebird\.example\//)
        await person.see(signedIn)
      },
      expect: [
        { identity: accounts[0].user },
        { identity: accounts[0].user, type: 'SAML_LOGIN', identityProvider: provider, host: appHost },
      ],
    },
    {
      name: 'app by SAML, with a session',
      run: async (person) => {
        await person.open(signIn)
        await submitCredentials(person, accounts[1])
        await person.see(signedIn)
        await person.pause(1_500)
        await person.open(app)
        await person.arrive(/^https:\/\/travel\.bluebird\.example\//)
        await person.see(signedIn)
      },
      expect: [
        { identity: accounts[1].user },
        { identity: accounts[1].user, type: 'SAML_LOGIN', identityProvider: provider, host: appHost },
      ],
    },
    {
      name: 'app by SAML, wrong, then right',
      run: async (person) => {
        await person.open(app)
        await submitCredentials(person, { ...accounts[1], password: wrongPassword })
        await person.see('#password')
        await person.pause(1_500)
        await person.retype('#username', accounts[1].user)
        await person.type('#password', accounts[1].password)
        await person.press('Enter')
        await person.arrive(/^https:\/\/travel\.bluebird\.example\//)
        await person.see(signedIn)
      },
      expect: [
        { identity: accounts[1].user },
        { identity: accounts[1].user, type: 'SAML_LOGIN', identityProvider: provider, host: appHost },
      ],
    },
    {
      name: 'app by SAML, wrong password',
      run: async (person) => {
        await person.open(app)
        await submitCredentials(person, { ...accounts[0], password: wrongPassword })
        await person.see('#password')
        await person.pause(1_500)
      },
      expect: [],
    },
    {
      name: 'sign out, sign in as another user',
      run: async (person) => {
        await person.open(signIn)
        await submitCredentials(person, accounts[0])
        await person.click(signedIn)
        await person.arrive(/logout/)
        await person.pause(1_500)
        await person.open(signIn)
        await submitCredentials(person, accounts[1])
        await person.see(signedIn)
      },
      expect: accounts.map(({ user }) => ({ identity: user })),
    },
  ],
}
