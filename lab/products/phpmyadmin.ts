import { mariadb, phpModules, phpPackages, phpServer } from '../src/debian-parts.ts'
import { startInRoot } from '../src/debian-root.ts'
import type { Person } from '../src/lab-person.ts'
import type { Product } from '../src/lab-product.ts'
import type { Credentials } from '../src/login-flows.ts'

const host = 'mysql.acme-works.example'
const accounts = [
  { user: 'ada.byron', password: 'Mortar-Violet-3381' },
  { user: 'grace.murray', password: 'Copper-Meadow-7720' },
] as const
const changing = { user: 'joan.clarke', password: 'Ribbon-Glacier-1947' }
const passwords: [string, string] = [changing.password, 'Walnut-Compass-8036']
const created = 'Feather-Summit-5173'

let newcomers = 0

const settings = `<?php
$cfg['blowfish_secret'] = '0123456789abcdef0123456789abcdef';
$cfg['Servers'][1] = [
  'auth_type' => 'cookie', 'host' => 'localhost', 'AllowNoPassword' => false,
];
$cfg['SendErrorReports'] = 'never';
`

const user = ({ user, password }: Credentials) => `
CREATE USER '${user}'@'localhost' IDENTIFIED BY '${password}';
GRANT ALL ON *.* TO '${user}'@'localhost' WITH GRANT OPTION;`

async function signIn(person: Person, { user, password }: Credentials): Promise<void> {
  await person.open('/')
  await person.type('#input_username', user)
  await person.type('#input_password', password)
  await person.click('#input_go')
}

export const product: Product = {
  name: 'phpmyadmin',
  host,
  packages: { debian: phpPackages },
  start: async (stage) => {
    const port = await stage.serve(host)
    for (const password of [...passwords, created]) stage.secret(password)
    await startInRoot(stage, {
      port,
      files: { 'lab.php': settings },
      script: `${phpModules}${mariadb([...accounts, changing].map(user).join(''))}
mkdir -p /etc/phpmyadmin/conf.d
cp /lab/lab.php /etc/phpmyadmin/conf.d/
${phpServer(port, '/usr/share/phpmyadmin')}`,
    })
  },
  login: {
    user: '#input_username',
    password: '#input_password',
    submit: '#input_go',
    signedIn: '#pma_navigation',
    refused: '.alert-danger',
    accounts,
  },
  flows: [
    {
      name: 'change the own password',
      run: async (person) => {
        await signIn(person, { user: changing.user, password: passwords[0] })
        await person.see('#pma_navigation')
        await person.click('#change_password_anchor')
        await person.type('#text_pma_change_pw', passwords[1])
        await person.type('#text_pma_change_pw2', passwords[1])
        await person.click('.ui-dialog-buttonset button:first-child')
        await person.miss('#text_pma_change_pw')
        await person.pause(1_500)
        passwords.reverse()
      },
      expect: [{ identity: changing.user }],
    },
    {
      name: 'create a user for somebody else',
      run: async (person) => {
        await signIn(person, accounts[0])
        await person.see('#pma_navigation')
        await person.open('/index.php?route=/server/privileges&adduser=1')
        await person.type('input[name="username"]', `katherine.${++newcomers}`)
        await person.type('#text_pma_pw', created)
        await person.type('#text_pma_pw2', created)
        await person.click('#adduser_submit')
        await person.see('.alert-success')
        await person.pause(1_500)
      },
      expect: [{ identity: accounts[0].user }],
    },
    {
      name: 'sign out, sign in as another user',
      run: async (person) => {
        await signIn(person, accounts[0])
        await person.see('#pma_navigation')
        await person.click('#navipanellinks a.logout, #pma_navigation a.logout')
        await person.retype('#input_username', accounts[1].user)
        await person.type('#input_password', accounts[1].password)
        await person.click('#input_go')
        await person.see('#pma_navigation')
      },
      expect: accounts.map(({ user }) => ({ identity: user })),
    },
  ],
}
