import { phpModules, phpPackages, phpServer } from '../src/debian-parts.ts'
import { startInRoot } from '../src/debian-root.ts'
import type { Person } from '../src/lab-person.ts'
import type { Product } from '../src/lab-product.ts'
import type { Credentials } from '../src/login-flows.ts'

const host = 'mail.acme-works.example'
const accounts = [
  { user: 'ada@acme-works.example', password: 'Walrus-Candle-5291' },
  { user: 'grace@acme-works.example', password: 'Mango-Steeple-8064' },
] as const

const settings = (imap: number): string => `<?php
$config['db_dsnw'] = 'sqlite:////tmp/roundcube.db?mode=0646';
$config['imap_host'] = '127.0.0.1:${imap}'; $config['smtp_host'] = '127.0.0.1:${imap}';
$config['des_key'] = '0123456789abcdef01234567'; $config['plugins'] = []; $config['skin'] = 'elastic';
$config['log_dir'] = '/tmp'; $config['temp_dir'] = '/tmp'; $config['login_rate_limit'] = 1000;
$config['product_name'] = 'Acme Mail'; $config['use_https'] = false;
`

const dovecot = (port: number): string => `
protocols = imap
listen = 127.0.0.1
base_dir = /run/dovecot
ssl = no
disable_plaintext_auth = no
mail_location = maildir:/home/%u
mail_uid = 33
mail_gid = 33
first_valid_uid = 33
first_valid_gid = 33
default_internal_user = dovecot
default_login_user = dovenull
default_internal_group = dovecot
auth_failure_delay = 0
passdb {
  driver = passwd-file
  args = scheme=plain /lab/users
}
userdb {
  driver = static
  args = uid=33 gid=33 home=/home/%u
}
namespace inbox {
  inbox = yes
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
service anvil {
  chroot =
}
log_path = /tmp/dovecot.log
`

async function signIn(person: Person, { user, password }: Credentials): Promise<void> {
  await person.open('/')
  await person.type('#rcmloginuser', user)
  await person.type('#rcmloginpwd', password)
  await person.click('#rcmloginsubmit')
  await person.see('#taskmenu')
}

export const product: Product = {
  name: 'roundcube',
  host,
  packages: { debian: phpPackages },
  start: async (stage) => {
    const port = await stage.serve(host)
    const imap = await stage.serve('imap.acme-works.example')
    await startInRoot(stage, {
      port,
      files: {
        'config.inc.php': settings(imap),
        'dovecot.conf': dovecot(imap),
        users: accounts.map(({ user, password }) => `${user}:{PLAIN}${password}\n`).join(''),
      },
      script: `${phpModules}
cp config.inc.php /etc/roundcube/
echo "<?php \\$dbtype='sqlite3';" > /etc/roundcube/debian-db.php
echo 'dovecot:x:102:102::/run:/bin/sh' >> /etc/passwd
echo 'dovenull:x:103:103::/run:/bin/sh' >> /etc/passwd
printf 'dovecot:x:102:\\ndovenull:x:103:\\n' >> /etc/group
chown 33:33 /home
chmod 777 /home
dovecot -F -c /lab/dovecot.conf &
${phpServer(port, '/var/lib/roundcube/public_html')}`,
    })
  },
  login: {
    user: '#rcmloginuser',
    password: '#rcmloginpwd',
    submit: '#rcmloginsubmit',
    signedIn: '#taskmenu',
    refused: '#messagestack .error, #messagestack .warning',
    accounts,
  },
  flows: [
    {
      name: 'sign out, sign in as another user',
      run: async (person) => {
        await signIn(person, accounts[0])
        await person.click('#taskmenu a.logout, a.button-logout')
        await person.see('#rcmloginpwd')
        await signIn(person, accounts[1])
      },
      expect: accounts.map(({ user }) => ({ identity: user })),
    },
  ],
}
