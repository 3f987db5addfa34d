import { TOTP } from 'otpauth'
import { phpModules, phpPackages, phpServer } from '../src/debian-parts.ts'
import { startInRoot } from '../src/debian-root.ts'
import type { Person } from '../src/lab-person.ts'
import type { Product } from '../src/lab-product.ts'
import type { Credentials } from '../src/login-flows.ts'

const host = 'wiki.acme-works.example'
const accounts = [
  { user: 'Ada Byron', password: 'Granite-Parsley-5026' },
  { user: 'Grace Murray', password: 'Tulip-Engine-7348' },
] as const
const withCode = { user: 'Alan Mathison', password: 'Beacon-Nutmeg-3917' }
const changing = 'Joan Clarke'
const passwords: [string, string] = ['Quartz-Bamboo-6205', 'Dahlia-Bridge-1496']
const created = 'Fennel-Cascade-8751'
const signedUp = 'Cedar-Window-2970'
const signIn = '/index.php?title=Special:UserLogin'
let newcomers = 0

const settings = `
$wgEnableEmail = false;
$wgPasswordAttemptThrottle = []; $wgAccountCreationThrottle = []; $wgRateLimits = [];
$wgCdnServersNoPurge = ['127.0.0.1'];
$wgJobRunRate = 0;
wfLoadExtension( 'OATHAuth' );
wfLoadSkin( 'Vector' );
$wgDefaultSkin = 'vector';
`
/** Enables the second step for a user. */
const addKey = (user: string, secret: string): string => `<?php
require '/usr/share/mediawiki/maintenance/Maintenance.php';
class AddKey extends Maintenance {
  public function execute() {
    $user = MediaWiki\\MediaWikiServices::getInstance()->getUserFactory()->newFromName('${user}');
    $services = MediaWiki\\MediaWikiServices::getInstance();
    $repository = $services->getService('OATHUserRepository');
    $oath = $repository->findByUser($user);
    $key = MediaWiki\\Extension\\OATHAuth\\Key\\TOTPKey::newFromArray(
      ['secret' => '${secret}', 'scratch_tokens' => ['ABCDEFGHIJKLMNOP']]);
    $oath->setModule($services->getService('OATHAuth')->getModuleByKey('totp'));
    $oath->setKeys([$key]);
    $repository->persist($oath, '127.0.0.1');
  }
}
$maintClass = 'AddKey';
require RUN_MAINTENANCE_IF_MAIN;
`

const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

async function submitCredentials(person: Person, { user, password }: Credentials): Promise<void> {
  await person.open(signIn)
  // The field contains the name of the previous user.
  await person.retype('#wpName1', user)
  await person.type('#wpPassword1', password)
  await person.click('#wpLoginAttempt')
}

export const product: Product = {
  name: 'mediawiki',
  host,
  packages: { debian: phpPackages },
  start: async (stage) => {
    const port = await stage.serve(host)
    for (const password of [...passwords, created, signedUp, withCode.password]) stage.secret(password)
    const [admin, ...others] = [...accounts, withCode, { user: changing, password: passwords[0] }]
    const users = others.map(
      ({ user, password }) => `php maintenance/createAndPromote.php '${user}' '${password}'\n`,
    )
    await startInRoot(stage, {
      port,
      path: '/index.php',
      files: { 'more.php': settings, 'add-key.php': addKey(withCode.user, secret) },
      script: `${phpModules}
cd /usr/share/mediawiki
php maintenance/install.php --dbtype sqlite --dbpath /tmp --server https://${host} --scriptpath '' \\
  --confpath /etc/mediawiki --pass '${admin?.password}' 'Acme Works' '${admin?.user}' > /tmp/install.log
cat /lab/more.php >> /etc/mediawiki/LocalSettings.php
php maintenance/update.php --quick > /tmp/update.log
${users.join('')}
php /lab/add-key.php
${phpServer(port, '/var/lib/mediawiki')}`,
    })
  },
  login: {
    path: signIn,
    user: '#wpName1',
    password: '#wpPassword1',
    submit: '#wpLoginAttempt',
    signedIn: '#pt-logout, #pt-userpage',
    refused: '.mw-message-box-error, .errorbox',
    accounts,
  },
  flows: [
    {
      name: 'app code',
      run: async (person) => {
        await submitCredentials(person, withCode)
        await person.type('input[name="OATHToken"]', new TOTP({ secret }).generate())
        await person.press('Enter')
        await person.see('#pt-userpage')
      },
      expect: [{ identity: withCode.user, mfa: 'APP_TOTP' }],
    },
    {
      name: 'wrong app code',
      run: async (person) => {
        await submitCredentials(person, withCode)
        await person.type('input[name="OATHToken"]', '000000')
        await person.press('Enter')
        await person.see('.mw-message-box-error, .errorbox, .error')
        await person.pause(1_500)
      },
      expect: [],
    },
    {
      name: 'sign up',
      run: async (person) => {
        await person.open('/index.php?title=Special:CreateAccount')
        await person.type('#wpName2', `Dorothy ${++newcomers}`)
        await person.type('#wpPassword2', signedUp)
        await person.type('#wpRetype', signedUp)
        await person.click('#wpCreateaccount')
        await person.see('#pt-userpage')
      },
      expect: [{ identity: 'Dorothy 1' }],
    },
    {
      name: 'change the own password',
      run: async (person) => {
        await submitCredentials(person, { user: changing, password: passwords[0] })
        await person.see('#pt-userpage')
        await person.open('/index.php?title=Special:ChangePassword')
        await person.type('input[name="password"]', passwords[1])
        await person.type('input[name="retype"]', passwords[1])
        await person.press('Enter')
        await person.miss('input[name="retype"]')
        await person.pause(1_500)
        passwords.reverse()
      },
      expect: [{ identity: changing }],
    },
    {
      name: 'create a user for somebody else',
      run: async (person) => {
        await submitCredentials(person, accounts[0])
        await person.see('#pt-userpage')
        await person.open('/index.php?title=Special:CreateAccount')
        await person.type('#wpName2', `Katherine ${++newcomers}`)
        await person.type('#wpPassword2', created)
        await person.type('#wpRetype', created)
        await person.click('#wpCreateaccount')
        await person.miss('#wpRetype')
        await person.pause(1_500)
      },
      expect: [{ identity: accounts[0].user }],
    },
    {
      name: 'sign out, sign in as another user',
      run: async (person) => {
        await submitCredentials(person, accounts[0])
        await person.click('#pt-logout a')
        await person.miss('#pt-logout')
        await submitCredentials(person, accounts[1])
        await person.see('#pt-userpage')
      },
      expect: accounts.map(({ user }) => ({ identity: user })),
    },
  ],
}
