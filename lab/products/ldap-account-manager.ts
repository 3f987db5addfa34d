import { phpModules, phpPackages, phpServer } from '../src/debian-parts.ts'
import { startInRoot } from '../src/debian-root.ts'
import type { Person } from '../src/lab-person.ts'
import type { Product } from '../src/lab-product.ts'
import type { Credentials } from '../src/login-flows.ts'

const host = 'directory.acme-works.example'
const accounts = [
  { user: 'ada.byron', password: 'Goblet-Ribbon-2275' },
  { user: 'grace.murray', password: 'Fossil-Orange-8841' },
] as const
const base = 'dc=acme,dc=example'
const signIn = '/templates/login.php'
const signedIn = 'a[href$="logout.php"]'

/** Settings appended to the sample configuration. */
const settings = (port: number): string => `
ServerURL: ldap://127.0.0.1:${port}
loginMethod: search
loginSearchSuffix: ou=people,${base}
loginSearchFilter: uid=%USER%
tools: treeViewSuffix: ${base}
types: suffix_user: ou=people,${base}
types: suffix_group: ou=group,${base}
`

const slapd = {
  'slapd.conf': `
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/nis.schema
include /etc/ldap/schema/inetorgperson.schema
pidfile /tmp/slapd.pid
modulepath /usr/lib/ldap
moduleload back_mdb
database mdb
directory /tmp/ldap
suffix "${base}"
rootdn "cn=admin,${base}"
access to attrs=userPassword by self write by anonymous auth by * none
access to * by * read
`,
  'entries.ldif': [
    `dn: ${base}\nobjectClass: dcObject\nobjectClass: organization\no: Acme\ndc: acme\n`,
    ...['people', 'group'].map(
      (unit) => `dn: ou=${unit},${base}\nobjectClass: organizationalUnit\nou: ${unit}\n`,
    ),
    ...accounts.map(
      ({ user, password }) => `dn: uid=${user},ou=people,${base}
objectClass: inetOrgPerson
uid: ${user}
cn: ${user}
sn: ${user}
userPassword: ${password}
`,
    ),
  ].join('\n'),
}

async function submitCredentials(person: Person, { user, password }: Credentials): Promise<void> {
  await person.open(signIn)
  await person.type('#username', user)
  await person.type('#passwd', password)
  await person.click('[name="checklogin"]')
  await person.see(signedIn)
}

export const product: Product = {
  name: 'ldap-account-manager',
  host,
  packages: { debian: phpPackages },
  start: async (stage) => {
    const port = await stage.serve(host)
    const ldap = await stage.serve('ldap.acme-works.example')
    await startInRoot(stage, {
      port,
      path: signIn,
      files: {
        ...slapd,
        'lam.conf': settings(ldap),
      },
      script: `${phpModules}
mkdir /tmp/ldap
slapadd -f slapd.conf -l entries.ldif
slapd -f slapd.conf -h ldap://127.0.0.1:${ldap} -d 0 &
cd /var/lib/ldap-account-manager
cat config/unix.sample.conf /lab/lam.conf > config/lam.conf
for folder in config sess tmp; do ln -sfn $PWD/$folder /usr/share/ldap-account-manager/$folder; done
${phpServer(port, '/usr/share/ldap-account-manager')}`,
    })
  },
  login: {
    path: signIn,
    user: '#username',
    password: '#passwd',
    submit: '[name="checklogin"]',
    signedIn,
    refused: '.statusMessageError, .lam-status-error, [class*="rror"]',
    accounts,
  },
  flows: [
    {
      name: 'sign out, sign in as another user',
      run: async (person) => {
        await submitCredentials(person, accounts[0])
        await person.click(signedIn)
        await person.pause(1_500)
        await submitCredentials(person, accounts[1])
      },
      expect: accounts.map(({ user }) => ({ identity: user })),
    },
  ],
}
