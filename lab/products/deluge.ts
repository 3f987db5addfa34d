import { pythonPackages } from '../src/debian-parts.ts'
import { startInRoot } from '../src/debian-root.ts'
import type { Product } from '../src/lab-product.ts'

const host = 'downloads.acme-works.example'
const password = 'Iceberg-Trellis-5508'
const field = '#_password, input[type="password"]'

const settings = `
import hashlib, json
settings = {'pwd_salt': 'lab', 'pwd_sha1': hashlib.sha1(b'lab' + b'${password}').hexdigest(), 'first_login': False,
    'sessions': {}, 'show_session_speed': False, 'sidebar_show_zero': False, 'theme': 'gray', 'https': False,
    'interface': '127.0.0.1', 'base': '/', 'cert': '', 'pkey': '', 'default_daemon': '', 'language': '',
    'session_timeout': 3600, 'show_sidebar': True, 'sidebar_multiple_filters': True, 'enabled_plugins': []}
open('/lab/deluge/web.conf', 'w').write(json.dumps({'file': 2, 'format': 1}) + json.dumps(settings))
`

export const product: Product = {
  name: 'deluge',
  host,
  packages: { debian: pythonPackages },
  start: async (stage) => {
    const port = await stage.serve(host)
    stage.secret(password)
    await startInRoot(stage, {
      port,
      files: { 'settings.py': settings },
      script: `mkdir deluge\npython3 settings.py\ndeluge-web -d -c /lab/deluge -i 127.0.0.1 -p ${port} &`,
    })
  },
  flows: [
    {
      name: 'wrong password',
      run: async (person) => {
        await person.open('/')
        await person.type(field, 'Not-The-Right-One-7261')
        await person.press('Enter')
        await person.see('.x-window', 'Login Failed')
        await person.pause(1_500)
      },
      expect: [],
    },
    {
      name: 'password without a user name',
      run: async (person) => {
        await person.open('/')
        await person.type(field, password)
        await person.press('Enter')
        await person.miss(field)
        await person.pause(1_500)
      },
      expect: [],
    },
  ],
}
