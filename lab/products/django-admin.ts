import { pythonPackages } from '../src/debian-parts.ts'
import { startInRoot } from '../src/debian-root.ts'
import type { Person } from '../src/lab-person.ts'
import type { Product } from '../src/lab-product.ts'
import type { Credentials } from '../src/login-flows.ts'

const host = 'backoffice.acme-works.example'
const accounts = [
  { user: 'ada.byron', password: 'Orchard-Signal-7482' },
  { user: 'grace.murray', password: 'Pebble-Curtain-3150' },
] as const
const changing = 'joan.clarke'
const passwords: [string, string] = ['Tangle-Meteor-2096', 'Lemon-Staircase-6843']
const other = { user: 'alan.mathison', password: 'Cactus-Ferry-9517' }
const created = 'Plum-Lighthouse-4038'
const given = 'Teapot-Valley-8269'
const signedIn = '#user-tools a[href$="/logout/"]'
let newcomers = 0

const site = `
import django, os, sys
from django.conf import settings
from django.core.management import execute_from_command_line
settings.configure(
    DEBUG=True, SECRET_KEY='lab', ALLOWED_HOSTS=['*'], ROOT_URLCONF='site_urls', STATIC_URL='/static/',
    USE_TZ=True, SECURE_PROXY_SSL_HEADER=('HTTP_X_FORWARDED_PROTO', 'https'),
    DEFAULT_AUTO_FIELD='django.db.models.AutoField',
    DATABASES={'default': {'ENGINE': 'django.db.backends.sqlite3', 'NAME': '/tmp/site.db'}},
    INSTALLED_APPS=['django.contrib.' + app for app in (
        'admin', 'auth', 'contenttypes', 'sessions', 'messages', 'staticfiles')],
    MIDDLEWARE=['django.contrib.sessions.middleware.SessionMiddleware',
        'django.middleware.csrf.CsrfViewMiddleware',
        'django.contrib.auth.middleware.AuthenticationMiddleware',
        'django.contrib.messages.middleware.MessageMiddleware'],
    TEMPLATES=[{'BACKEND': 'django.template.backends.django.DjangoTemplates', 'APP_DIRS': True,
        'OPTIONS': {'context_processors': ['django.template.context_processors.request',
            'django.contrib.auth.context_processors.auth',
            'django.contrib.messages.context_processors.messages']}}])
if sys.argv[1] == 'users':
    django.setup()
    from django.contrib.auth.models import User
    for user in ${JSON.stringify([...accounts, { user: changing, password: passwords[0] }, other])}:
        User.objects.create_superuser(user['user'], password=user['password'])
else:
    execute_from_command_line(sys.argv)
`

const urls = `
from django.contrib import admin
from django.urls import path
urlpatterns = [path('admin/', admin.site.urls)]
`

async function signIn(person: Person, { user, password }: Credentials): Promise<void> {
  await person.open('/admin/')
  await person.type('#id_username', user)
  await person.type('#id_password', password)
  await person.click('input[type="submit"]')
  await person.see(signedIn)
}

export const product: Product = {
  name: 'django-admin',
  host,
  packages: { debian: pythonPackages },
  start: async (stage) => {
    const port = await stage.serve(host)
    for (const password of [...passwords, created, given, other.password]) stage.secret(password)
    await startInRoot(stage, {
      port,
      files: { 'lab_site.py': site, 'site_urls.py': urls },
      script: `
python3 lab_site.py migrate > /tmp/migrate.log
python3 lab_site.py users
python3 lab_site.py runserver --noreload 127.0.0.1:${port} &`,
    })
  },
  login: {
    path: '/admin/',
    user: '#id_username',
    password: '#id_password',
    submit: 'input[type="submit"]',
    signedIn,
    refused: '.errornote',
    accounts,
  },
  flows: [
    {
      name: 'change the own password',
      run: async (person) => {
        await signIn(person, { user: changing, password: passwords[0] })
        await person.open('/admin/password_change/')
        await person.type('#id_old_password', passwords[0])
        await person.type('#id_new_password1', passwords[1])
        await person.type('#id_new_password2', passwords[1])
        await person.click('input[type="submit"]')
        await person.arrive(/password_change\/done/)
        await person.pause(1_500)
        passwords.reverse()
      },
      expect: [{ identity: changing }],
    },
    {
      name: 'create a user for somebody else',
      run: async (person) => {
        await signIn(person, accounts[0])
        await person.open('/admin/auth/user/add/')
        await person.type('#id_username', `katherine.${++newcomers}`)
        await person.type('#id_password1', created)
        await person.type('#id_password2', created)
        await person.click('input[name="_save"]')
        await person.see('.messagelist .success')
        await person.pause(1_500)
      },
      expect: [{ identity: accounts[0].user }],
    },
    {
      name: 'set the password of somebody else',
      run: async (person) => {
        await signIn(person, accounts[0])
        await person.open('/admin/auth/user/4/password/')
        await person.type('#id_password1', given)
        await person.type('#id_password2', given)
        await person.click('input[type="submit"]')
        await person.see('.messagelist .success')
        await person.pause(1_500)
      },
      expect: [{ identity: accounts[0].user }],
    },
    {
      name: 'sign out, sign in as another user',
      run: async (person) => {
        await signIn(person, accounts[0])
        await person.click(signedIn)
        await person.arrive(/logout/)
        await signIn(person, accounts[1])
      },
      expect: accounts.map(({ user }) => ({ identity: user })),
    },
  ],
}
