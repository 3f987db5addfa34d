import { pythonPackages } from '../src/debian-parts.ts'
import { startInRoot } from '../src/debian-root.ts'
import type { Product } from '../src/lab-product.ts'

const host = 'notebooks.acme-works.example'
const accounts = [{ user: '', password: 'Velcro-Almanac-3716' }] as const

const settings = (port: number): string => `
from notebook.auth import passwd
c.NotebookApp.password = passwd('${accounts[0].password}', 'sha1')
c.NotebookApp.ip = '127.0.0.1'
c.NotebookApp.port = ${port}
c.NotebookApp.open_browser = False
c.NotebookApp.allow_root = True
c.NotebookApp.allow_remote_access = True
c.NotebookApp.notebook_dir = '/lab'
`

export const product: Product = {
  name: 'jupyter',
  host,
  packages: { debian: pythonPackages },
  start: async (stage) => {
    const port = await stage.serve(host)
    stage.secret(accounts[0].password)
    await startInRoot(stage, {
      port,
      path: '/login',
      files: { 'jupyter_config.py': settings(port) },
      script: 'jupyter-notebook --config /lab/jupyter_config.py &',
    })
  },
  flows: [
    {
      name: 'wrong password',
      run: async (person) => {
        await person.open('/login')
        await person.type('#password_input', 'Not-The-Right-One-7261')
        await person.click('#login_submit')
        await person.see('.message, .error')
        await person.pause(1_500)
      },
      expect: [],
    },
    {
      name: 'password without a user name',
      run: async (person) => {
        await person.open('/login')
        await person.type('#password_input', accounts[0].password)
        await person.click('#login_submit')
        await person.see('#logout')
      },
      expect: [],
    },
  ],
}
