import { mariadb, phpModules, phpPackages, phpServer } from '../src/debian-parts.ts'
import { startInRoot } from '../src/debian-root.ts'
import type { Person } from '../src/lab-person.ts'
import type { Product } from '../src/lab-product.ts'
import type { Credentials } from '../src/login-flows.ts'

const host = 'tables.acme-works.example'
const accounts = [
  { user: 'ada.byron', password: 'Canyon-Buckle-6630' },
  { user: 'grace.murray', password: 'Poppy-Lantern-1809' },
] as const
const created = 'Kiwi-Saddle-4927'
const password = 'input[name="auth[password]"]'
let newcomers = 0

async function signIn(person: Person, account: Credentials): Promise<void> {
  await person.open('/')
  await person.type('#username', account.user)
  await person.type(password, account.password)
  await person.click('input[type="submit"]')
  await person.see('#logout')
}

export const product: Product = {
  name: 'adminer',
  host,
  packages: { debian: phpPackages },
  start: async (stage) => {
    const port = await stage.serve(host)
    stage.secret(created)
    const users = accounts.map(
      (one) =>
        `GRANT ALL ON *.* TO '${one.user}'@'localhost' IDENTIFIED BY '${one.password}' WITH GRANT OPTION;`,
    )
    await startInRoot(stage, {
      port,
      script: `${phpModules}${mariadb(users.join('\n'))}
mkdir -p /srv/www
cp /usr/share/adminer/adminer.php /srv/www/index.php
${phpServer(port, '/srv/www')}`,
    })
  },
  login: {
    user: '#username',
    password,
    submit: 'input[type="submit"]',
    signedIn: '#logout',
    refused: '.error',
    accounts,
  },
  flows: [
    {
      name: 'create a user for somebody else',
      run: async (person) => {
        await signIn(person, accounts[0])
        await person.open('/?server=&username=ada.byron&user=')
        await person.retype('input[name="user"]', `katherine.${++newcomers}`)
        await person.type('#pass', created)
        await person.click('#form input[type="submit"], form input[value="Save"]')
        await person.see('.message')
        await person.pause(1_500)
      },
      expect: [{ identity: accounts[0].user }],
    },
    {
      name: 'sign out, sign in as another user',
      run: async (person) => {
        await signIn(person, accounts[0])
        await person.click('#logout')
        await person.see(password)
        await signIn(person, accounts[1])
      },
      expect: accounts.map(({ user }) => ({ identity: user })),
    },
  ],
}
