import { pythonPackages } from '../src/debian-parts.ts'
import { startInRoot } from '../src/debian-root.ts'
import type { Person } from '../src/lab-person.ts'
import type { Product } from '../src/lab-product.ts'
import type { Credentials } from '../src/login-flows.ts'

const host = 'lists.acme-works.example'
const accounts = [
  { user: 'ada.byron', password: 'Cucumber-Beacon-5174' },
  { user: 'grace.murray', password: 'Peanut-Railway-3927' },
] as const
const changing = 'joan.clarke'
const passwords: [string, string] = ['Dolphin-Carpet-7260', 'Mustard-Eclipse-1408']
const joined = 'Buttons-Cathedral-9682'
const signIn = '/accounts/login/'
const signedIn = 'li.nav-item.dropdown'
let newcomers = 0

const settings = `
DEBUG = True
ALLOWED_HOSTS = ['*']
USE_X_FORWARDED_HOST = True
SECURE_PROXY_SSL_HEADER = ('HTTP_X_FORWARDED_PROTO', 'https')
DATABASES = {'default': {'ENGINE': 'django.db.backends.sqlite3', 'NAME': '/tmp/lists.db'}}
EMAIL_BACKEND = 'django.core.mail.backends.dummy.EmailBackend'
COMPRESS_ENABLED = False
COMPRESS_OFFLINE = False
COMPRESS_PRECOMPILERS = ()
LOGIN_REDIRECT_URL = 'hk_root'
ACCOUNT_RATE_LIMITS = {}
ACCOUNT_LOGIN_ATTEMPTS_LIMIT = None
SILENCED_SYSTEM_CHECKS = ['fields.E304']
HAYSTACK_CONNECTIONS = {'default': {'ENGINE': 'haystack.backends.simple_backend.SimpleEngine'}}
Q_CLUSTER = {'name': 'lab', 'orm': 'default', 'sync': True}
`
const users = `
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
for one in ${JSON.stringify([...accounts, { user: changing, password: passwords[0] }])}:
    email = one['user'] + '@acme-works.example'
    user = User.objects.create_user(one['user'], email, one['password'])
    EmailAddress.objects.create(user=user, email=email, verified=True, primary=True)
`

async function submitCredentials(person: Person, { user, password }: Credentials): Promise<void> {
  await person.open(signIn)
  await person.type('#id_login', user)
  await person.type('#id_password', password)
  await person.click('form.login button[type="submit"]')
  await person.see(signedIn)
}

export const product: Product = {
  name: 'mailman3-web',
  host,
  packages: { debian: pythonPackages },
  start: async (stage) => {
    const port = await stage.serve(host)
    for (const password of [...passwords, joined]) stage.secret(password)
    await startInRoot(stage, {
      port,
      path: signIn,
      files: { 'more.py': settings, 'users.py': users },
      script: `
mkdir -p /etc/mailman3 /var/log/mailman3/web /var/lib/mailman3/web
cat $(find /usr/share/mailman3-web /etc/mailman3 -name 'mailman-web.py' | head -n 1) more.py > settings.py
cp settings.py /etc/mailman3/mailman-web.py
cd /usr/share/mailman3-web
python3 manage.py migrate > /tmp/migrate.log 2>&1
python3 manage.py shell < /lab/users.py
python3 manage.py runserver --noreload --insecure 127.0.0.1:${port} &`,
    })
  },
  login: {
    path: signIn,
    user: '#id_login',
    password: '#id_password',
    submit: 'form.login button[type="submit"]',
    signedIn,
    refused: '.alert-danger, .alert-error',
    accounts,
  },
  flows: [
    {
      name: 'change the own password',
      run: async (person) => {
        await submitCredentials(person, { user: changing, password: passwords[0] })
        await person.open('/accounts/password/change/')
        await person.type('#id_oldpassword', passwords[0])
        await person.type('#id_password1', passwords[1])
        await person.type('#id_password2', passwords[1])
        await person.press('Enter')
        await person.see('.alert-success')
        await person.pause(1_500)
        passwords.reverse()
      },
      expect: [{ identity: changing }],
    },
    {
      name: 'sign up, address not confirmed',
      run: async (person) => {
        await person.open('/accounts/signup/')
        const name = `dorothy${++newcomers}`
        await person.type('#id_email', `${name}@acme-works.example`)
        await person.type('#id_username', name)
        await person.type('#id_password1', joined)
        await person.type('#id_password2', joined)
        await person.press('Enter')
        await person.arrive(/confirm-email/)
        await person.pause(1_500)
      },
      expect: [],
    },
    {
      name: 'sign out, sign in as another user',
      run: async (person) => {
        await submitCredentials(person, accounts[0])
        await person.open('/accounts/logout/')
        await person.click('form[action="/accounts/logout/"] button')
        await person.miss(signedIn)
        await person.pause(1_500)
        await submitCredentials(person, accounts[1])
      },
      expect: accounts.map(({ user }) => ({ identity: user })),
    },
  ],
}
