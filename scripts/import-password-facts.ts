// `npm run password-facts:import -- <folder>`: writes contract/src/password-facts/*.jsonl from the folder `quirks` of a clone
// of github.com/apple/password-manager-resources.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { products } from '../contract/src/catalog/products.ts'
import { accountSystemsText, passwordSitesText } from '../contract/src/password-facts/password-facts-text.ts'
import { accountSystemsFrom, type PasswordQuirks, passwordSitesFrom } from './password-facts-source.ts'

const [folder] = process.argv.slice(2)
if (folder === undefined)
  throw new Error('Missing argument: the folder `quirks` of a clone of apple/password-manager-resources.')

const read = (name: string) => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'))
const quirks: PasswordQuirks = {
  shared: read('shared-credentials'),
  historical: read('shared-credentials-historical'),
  changeUrls: read('change-password-URLs'),
  appendCode: read('websites-that-append-2fa-to-password'),
  askForOthers: read('websites-that-ask-for-credentials-for-other-services-when-embedded-as-third-party'),
}
const target = join(import.meta.dirname, '../contract/src/password-facts')
writeFileSync(join(target, 'account-systems.jsonl'), accountSystemsText(accountSystemsFrom(quirks, products)))
writeFileSync(join(target, 'password-sites.jsonl'), passwordSitesText(passwordSitesFrom(quirks)))
