import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Stage } from './lab-product.ts'

/** Server that runs in its own root folder, built from the unpacked Debian packages of a product. */
export interface RootedServer {
  /** Port that must answer; the script starts a server on it. */
  readonly port: number
  /** Path that must answer. Default: `/`. */
  readonly path?: string
  /** POSIX shell script that creates users and starts the servers. Runs as root of the folder and keeps running. */
  readonly script: string
  /** Files by name, available to the script in `/lab`. */
  readonly files?: Readonly<Record<string, string>>
}

/** Mounts an in-memory copy of the packages and runs the script in it, in namespaces that end with it. */
const enterScript = `set -e
cd "$2"
mount --make-rprivate /
mkdir memory
mount -t tmpfs lab memory
mkdir memory/upper memory/work memory/root
mount -t overlay -o "lowerdir=$1,upperdir=memory/upper,workdir=memory/work" lab memory/root
cd memory/root
mkdir -p dev proc lab run tmp root home var/tmp
chmod 1777 tmp var/tmp
ln -sfn /run var/run
mount --rbind /dev dev
mount -t proc proc proc
mount --bind "$2" lab
exec chroot . /bin/sh -e /lab/run.sh
`

/** Users of the root folder, because maintainer scripts, which would add them, do not run. */
const users = [
  'root:x:0:0::/root:/bin/sh',
  'www-data:x:33:33::/var/www:/bin/sh',
  'nobody:x:65534:65534::/:/bin/sh',
]
const groups = ['root:x:0:', 'shadow:x:42:', 'mail:x:8:', 'www-data:x:33:', 'nogroup:x:65534:']

/**
 * Starts a product with `packages.debian`, as root of a folder that contains only them.
 *
 * Nothing persists: writes go to memory.
 */
export async function startInRoot(
  { installed, data, start }: Stage,
  { port, path = '/', script, files = {} }: RootedServer,
): Promise<void> {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(data, name), text)
  writeFileSync(join(data, 'passwd'), `${users.join('\n')}\n`)
  writeFileSync(join(data, 'group'), `${groups.join('\n')}\n`)
  const begin = `cp /lab/passwd /lab/group /etc/\necho '127.0.0.1 localhost' > /etc/hosts\ncd /lab\n`
  writeFileSync(join(data, 'run.sh'), `${begin}${script}\nwait\n`)
  writeFileSync(join(data, 'enter.sh'), enterScript)
  const namespaces = ['--mount', '--pid', '--fork', '--kill-child']
  await start('unshare', [...namespaces, 'sh', join(data, 'enter.sh'), join(installed, 'debian'), data], {
    port,
    path,
    env: { HOME: '/root', PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' },
  })
}
