import { phpModules, phpPackages, phpServer } from '../src/debian-parts.ts'
import { startInRoot } from '../src/debian-root.ts'
import type { Person } from '../src/lab-person.ts'
import type { Product } from '../src/lab-product.ts'
import type { Credentials } from '../src/login-flows.ts'

const host = 'notes.acme-works.example'
const accounts = [
  { user: 'ada.byron', password: 'Juniper-Helmet-3094' },
  { user: 'grace.murray', password: 'Marble-Oyster-8517' },
] as const
const changing = 'joan.clarke'
const passwords: [string, string] = ['Ginger-Rocket-4680', 'Sparrow-Velour-7713']
const created = 'Almond-Geyser-2258'
const signedUp = 'Basil-Trumpet-9041'
let newcomers = 0

const settings = `<?php
$conf['title'] = 'Acme Works'; $conf['useacl'] = 1; $conf['superuser'] = '@admin';
$conf['autopasswd'] = 0; $conf['savedir'] = '/var/lib/dokuwiki/data'; $conf['updatecheck'] = 0;
`

const users = `<?php
foreach (${JSON.stringify([...accounts, { user: changing, password: passwords[0] }])
  .replaceAll('{', '[')
  .replaceAll('}', ']')
  .replaceAll(':', '=>')} as $one) {
  $hash = password_hash($one['password'], PASSWORD_BCRYPT, ['cost' => 6]);
  echo "{$one['user']}:$hash:{$one['user']}:{$one['user']}@acme-works.example:admin,user\\n";
}
`

async function signIn(person: Person, { user, password }: Credentials): Promise<void> {
  await person.open('/doku.php?id=start&do=login')
  await person.type('#dw__login input[name="u"]', user)
  await person.type('#dw__login input[name="p"]', password)
  await person.click('#dw__login button[type="submit"]')
  await person.see('#dokuwiki__usertools .logout, a.logout')
}

export const product: Product = {
  name: 'dokuwiki',
  host,
  packages: { debian: phpPackages },
  start: async (stage) => {
    const port = await stage.serve(host)
    for (const password of [...passwords, created, signedUp]) stage.secret(password)
    await startInRoot(stage, {
      port,
      path: '/doku.php',
      files: { 'local.php': settings, 'users.php': users, 'acl.auth.php': '*\t@ALL\t1\n*\t@user\t8\n' },
      script: `${phpModules}
cp local.php /etc/dokuwiki/
php users.php > /var/lib/dokuwiki/acl/users.auth.php
cp acl.auth.php /var/lib/dokuwiki/acl/
${phpServer(port, '/usr/share/dokuwiki')}`,
    })
  },
  login: {
    path: '/doku.php?id=start&do=login',
    user: '#dw__login input[name="u"]',
    password: '#dw__login input[name="p"]',
    submit: '#dw__login button[type="submit"]',
    signedIn: '#dokuwiki__usertools .logout, a.logout',
    refused: 'div.error',
    accounts,
  },
  flows: [
    {
      name: 'sign up, then sign in',
      run: async (person) => {
        const name = `dorothy.${++newcomers}`
        await person.open('/doku.php?id=start&do=register')
        await person.type('#dw__register input[name="login"]', name)
        await person.type('#dw__register input[name="pass"]', signedUp)
        await person.type('#dw__register input[name="passchk"]', signedUp)
        await person.type('#dw__register input[name="fullname"]', 'Dorothy Vaughan')
        await person.type('#dw__register input[name="email"]', `${name}@acme-works.example`)
        await person.click('#dw__register button[type="submit"]')
        await person.see('div.success')
        // Does not sign anybody in.
        await person.pause(1_500)
        await signIn(person, { user: name, password: signedUp })
      },
      expect: [{ identity: 'dorothy.1' }],
    },
    {
      name: 'change the own password',
      run: async (person) => {
        await signIn(person, { user: changing, password: passwords[0] })
        await person.open('/doku.php?id=start&do=profile')
        await person.type('#dw__register input[name="newpass"]', passwords[1])
        await person.type('#dw__register input[name="passchk"]', passwords[1])
        await person.type('#dw__register input[name="oldpass"]', passwords[0])
        await person.click('#dw__register button[type="submit"]')
        await person.see('div.success')
        await person.pause(1_500)
        passwords.reverse()
      },
      expect: [{ identity: changing }],
    },
    {
      name: 'create a user for somebody else',
      run: async (person) => {
        await signIn(person, accounts[0])
        await person.open('/doku.php?id=start&do=admin&page=usermanager')
        const name = `katherine.${++newcomers}`
        await person.type('#add_userid', name)
        await person.type('#add_userpass', created)
        await person.type('#add_userpass2', created)
        await person.type('#add_username', 'Katherine Johnson')
        await person.type('#add_usermail', `${name}@acme-works.example`)
        await person.click('button[name="fn[add]"]')
        await person.see('div.success')
        await person.pause(1_500)
      },
      expect: [{ identity: accounts[0].user }],
    },
    {
      name: 'sign out, sign in as another user',
      run: async (person) => {
        await signIn(person, accounts[0])
        await person.click('#dokuwiki__usertools .logout, a.logout')
        await person.miss('#dokuwiki__usertools .logout')
        await signIn(person, accounts[1])
      },
      expect: accounts.map(({ user }) => ({ identity: user })),
    },
  ],
}
