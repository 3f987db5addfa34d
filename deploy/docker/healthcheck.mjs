// Health check of the container: exit code 0 while the server is ready. Plain JavaScript, without packages.
import { get as getPlain } from 'node:http'
import { get as getSecure } from 'node:https'

const { MUSTER_PORT: port = '8443', MUSTER_PLAIN_HTTP: plain = 'false' } = process.env
const options = { host: '127.0.0.1', port, path: '/readyz', timeout: 4000, rejectUnauthorized: false }
const get = ['true', '1'].includes(plain) ? getPlain : getSecure
get(options, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1))
  .on('timeout', () => process.exit(1))
  .on('error', () => process.exit(1))
