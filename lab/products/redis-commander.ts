import { join } from 'node:path'
import { startRedis } from '../../test/support/services.ts'
import type { Product } from '../src/lab-product.ts'

const host = 'redis.acme-works.example'
const account = { user: 'ada.byron', password: 'Feather-Basalt-6612' }

export const product: Product = {
  name: 'redis-commander',
  host,
  packages: { npm: { 'redis-commander': '0.9.0' } },
  start: async ({ installed, node, serve, start, defer }) => {
    const redis = await startRedis()
    defer(() => redis.stop())
    const port = await serve(host)
    const program = join(installed, 'node_modules', 'redis-commander', 'bin', 'redis-commander.js')
    const login = ['--http-auth-username', account.user, '--http-auth-password', account.password]
    const place = ['--address', '127.0.0.1', '--port', String(port), '--redis-port', new URL(redis.url).port]
    await start(node, [program, ...place, ...login, '--nosave'], { port })
  },
  login: {
    user: '#signinUsername',
    password: '#signinPassword',
    submit: '#signinButton',
    signedIn: '#keyTree .jstree-node, #keyTree li',
    accounts: [account],
  },
}
