import { mariadb, phpModules, phpPackages, phpServer } from '../src/debian-parts.ts'
import { startInRoot } from '../src/debian-root.ts'
import type { Person } from '../src/lab-person.ts'
import type { Product } from '../src/lab-product.ts'
import type { Credentials } from '../src/login-flows.ts'

const host = 'monitoring.acme-works.example'
const accounts = [
  { user: 'ada.byron', password: 'Blanket-Geyser-3390' },
  { user: 'grace.murray', password: 'Turnip-Compass-7428' },
] as const
const changing = 'joan.clarke'
const passwords: [string, string] = ['Quiver-Almond-1865', 'Saddle-Nebula-6207']
const created = 'Hammock-Prism-9043'
const signIn = '/authentication/login'
const signedIn = '#menu, .primary-nav'
let newcomers = 0

const files = {
  'config.ini':
    '[global]\nconfig_resource = "db"\nmodule_path = "/usr/share/icingaweb2/modules"\n[logging]\nlog = "php"\nlevel = "ERROR"\n',
  'resources.ini':
    '[db]\ntype = "db"\ndb = "mysql"\nhost = "localhost"\ndbname = "icingaweb"\nusername = "icingaweb"\npassword = "icingaweb"\ncharset = "utf8mb4"\n',
  'authentication.ini': '[users]\nbackend = "db"\nresource = "db"\n',
  'groups.ini': '[groups]\nbackend = "db"\nresource = "db"\n',
  'roles.ini': `[Administrators]\nusers = "${accounts.map(({ user }) => user).join()}"\npermissions = "*"\n[Others]\nusers = "*"\npermissions = "user/*"\n`,
  'router.php': `<?php
ini_set('display_errors', '0');
$file = '/usr/share/icingaweb2/public' . parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if (is_file($file)) return false;
$_SERVER['SCRIPT_NAME'] = $_SERVER['PHP_SELF'] = '/index.php';
$_SERVER['SCRIPT_FILENAME'] = '/usr/share/icingaweb2/public/index.php';
require '/usr/share/icingaweb2/public/index.php';
`,
  'users.php': `<?php
$users = ${'json_decode(file_get_contents("users.json"), true)'};
foreach ($users as $one) printf("INSERT INTO icingaweb_user (name, active, password_hash) VALUES ('%s', 1, '%s');\\n",
  $one['user'], password_hash($one['password'], PASSWORD_DEFAULT));
`,
  'users.json': JSON.stringify([...accounts, { user: changing, password: passwords[0] }]),
}

async function submitCredentials(person: Person, { user, password }: Credentials): Promise<void> {
  await person.open(signIn)
  await person.type('input[name="username"]', user)
  await person.type('input[name="password"]', password)
  await person.click('input[type="submit"], button[type="submit"]')
  await person.see(signedIn)
}

export const product: Product = {
  name: 'icingaweb2',
  host,
  packages: { debian: phpPackages },
  start: async (stage) => {
    const port = await stage.serve(host)
    for (const password of [...passwords, created]) stage.secret(password)
    await startInRoot(stage, {
      port,
      path: signIn,
      files,
      script: `${phpModules}${mariadb(`
CREATE DATABASE icingaweb;
CREATE USER 'icingaweb'@'localhost' IDENTIFIED BY 'icingaweb';
GRANT ALL ON icingaweb.* TO 'icingaweb'@'localhost';`)}
mariadb icingaweb < $(find /usr/share/icingaweb2 -name 'mysql.schema.sql' | head -n 1)
php users.php | mariadb icingaweb
mkdir -p /etc/icingaweb2/enabledModules /var/log/icingaweb2 /var/lib/icingaweb2
cp *.ini /etc/icingaweb2/
${phpServer(port, '/usr/share/icingaweb2/public', '/lab/router.php')}`,
    })
  },
  login: {
    path: signIn,
    user: 'input[name="username"]',
    password: 'input[name="password"]',
    submit: 'input[type="submit"], button[type="submit"]',
    signedIn,
    refused: '.errors, .error',
    accounts,
  },
  flows: [
    {
      name: 'change the own password',
      run: async (person) => {
        await submitCredentials(person, { user: changing, password: passwords[0] })
        await person.open('/account')
        await person.type('input[name="old_password"]', passwords[0])
        await person.type('input[name="new_password"]', passwords[1])
        await person.type('input[name="new_password_confirmation"]', passwords[1])
        await person.press('Enter')
        await person.see('#notifications .success')
        await person.pause(1_500)
        passwords.reverse()
      },
      expect: [{ identity: changing }],
    },
    {
      name: 'create a user for somebody else',
      run: async (person) => {
        await submitCredentials(person, accounts[0])
        await person.open('/user/add?backend=users')
        await person.type('input[name="user_name"]', `katherine.${++newcomers}`)
        await person.type('input[name="password"]', created)
        await person.press('Enter')
        await person.see('#notifications .success')
        await person.pause(1_500)
      },
      expect: [{ identity: accounts[0].user }],
    },
    {
      name: 'sign out, sign in as another user',
      run: async (person) => {
        await submitCredentials(person, accounts[0])
        await person.open('/authentication/logout')
        await person.pause(1_500)
        await submitCredentials(person, accounts[1])
      },
      expect: accounts.map(({ user }) => ({ identity: user })),
    },
  ],
}
