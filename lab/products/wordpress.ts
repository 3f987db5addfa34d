import { mariadb, phpModules, phpPackages, phpServer } from '../src/debian-parts.ts'
import { startInRoot } from '../src/debian-root.ts'
import type { Person } from '../src/lab-person.ts'
import type { Product } from '../src/lab-product.ts'
import type { Credentials } from '../src/login-flows.ts'

const host = 'blog.acme-works.example'
const accounts = [
  { user: 'ada.byron', password: 'Pepper-Lagoon-2843' },
  { user: 'grace.murray', password: 'Tunnel-Maple-6619' },
] as const
const changing = 'joan.clarke'
const passwords: [string, string] = ['Velvet-Harvest-9304', 'Cobalt-Prairie-1578']
const created = 'Hazel-Turbine-4462'
let newcomers = 0

const settings = (database: string, address: string) => `<?php
define('DB_NAME', '${database}'); define('DB_USER', 'wordpress'); define('DB_PASSWORD', 'wordpress');
define('DB_HOST', 'localhost'); define('DB_CHARSET', 'utf8mb4');
define('WP_CONTENT_DIR', '/var/lib/wordpress/wp-content');
define('WP_HOME', 'https://${address}'); define('WP_SITEURL', 'https://${address}');
define('WP_HTTP_BLOCK_EXTERNAL', true); define('DISABLE_WP_CRON', true);
`

const install = `<?php
define('WP_INSTALLING', true);
$_SERVER['HTTP_HOST'] = '${host}';
require '/usr/share/wordpress/wp-load.php';
require ABSPATH . 'wp-admin/includes/upgrade.php';
wp_install('Acme Works', '${accounts[0].user}', 'ada@acme-works.example', true, '', '${accounts[0].password}');
wp_create_user('${accounts[1].user}', '${accounts[1].password}', 'grace@acme-works.example');
wp_create_user('${changing}', '${passwords[0]}', 'joan@acme-works.example');
`

async function signIn(
  person: Person,
  { user, password }: Credentials,
  address = '/wp-login.php',
): Promise<void> {
  await person.open(address)
  await person.pause(700)
  await person.type('#user_login', user)
  await person.type('#user_pass', password)
  await person.click('#wp-submit')
  await person.see('#wpadminbar')
}

export const product: Product = {
  name: 'wordpress',
  host,
  packages: { debian: phpPackages },
  start: async (stage) => {
    const port = await stage.serve(host)
    for (const password of [...passwords, created]) stage.secret(password)
    await startInRoot(stage, {
      port,
      path: '/wp-login.php',
      files: {
        'config.php': settings('wordpress', host),
        'install.php': install,
      },
      script: `${phpModules}${mariadb(`
CREATE DATABASE wordpress;
CREATE USER 'wordpress'@'localhost' IDENTIFIED BY 'wordpress';
GRANT ALL ON *.* TO 'wordpress'@'localhost';`)}
cp config.php /etc/wordpress/config-${host}.php
php install.php > /tmp/install.log 2>&1
${phpServer(port, '/usr/share/wordpress')}`,
    })
  },
  login: {
    path: '/wp-login.php',
    user: '#user_login',
    password: '#user_pass',
    submit: '#wp-submit',
    signedIn: '#wpadminbar',
    refused: '#login_error',
    accounts,
  },
  flows: [
    {
      name: 'change the own password',
      run: async (person) => {
        await signIn(person, { user: changing, password: passwords[0] })
        await person.open('/wp-admin/profile.php')
        await person.click('.wp-generate-pw')
        await person.retype('#pass1', passwords[1])
        await person.click('#submit')
        await person.see('#message')
        await person.pause(1_500)
        passwords.reverse()
      },
      expect: [{ identity: changing }],
    },
    {
      name: 'create a user for somebody else',
      run: async (person) => {
        await signIn(person, accounts[0])
        await person.open('/wp-admin/user-new.php')
        const name = `katherine.${++newcomers}`
        await person.type('#user_login', name)
        await person.type('#email', `${name}@acme-works.example`)
        await person.retype('#pass1', created)
        await person.click('#createusersub')
        await person.see('#message')
        await person.pause(1_500)
      },
      expect: [{ identity: accounts[0].user }],
    },
    {
      name: 'sign out, sign in as another user',
      run: async (person) => {
        await signIn(person, accounts[0])
        await person.evaluate(`document.querySelector('#wp-admin-bar-logout a').click()`)
        await person.see('#user_login')
        await person.pause(700)
        await person.retype('#user_login', accounts[1].user)
        await person.type('#user_pass', accounts[1].password)
        await person.click('#wp-submit')
        await person.see('#wpadminbar')
      },
      expect: accounts.map(({ user }) => ({ identity: user })),
    },
  ],
}
