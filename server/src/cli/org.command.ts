import { added } from '../features/audit-changes.ts'
import { systemClock } from '../lib/clock.ts'
import { newId } from '../lib/id.ts'
import {
  addOrganisation,
  ensureDefaultOrganisation,
  findOrganisation,
  listOrganisations,
  type Organisation,
} from '../storage/organisations.ts'
import { UniqueViolationError } from '../storage/sql.ts'
import { tellCliChange } from './cli-actor.ts'
import { CommandFailure, defineCommand, UsageError } from './command.ts'
import { momentText } from './moments.ts'
import { textTable } from './text-table.ts'
import { withStore } from './with-store.ts'

const shown = ({ id, name, creationTimestamp }: Organisation) => ({ id, name, creationTimestamp })

/** `muster org add` */
export const orgAdd = defineCommand({
  name: 'org add',
  summary: 'Add an organisation: nothing of it is seen by the keys of another',
  json: true,
  positionals: [
    { name: 'NAME', help: 'its name: letters, digits, dots, dashes and underscores', required: true },
  ],
  options: {},
  details:
    'Example:\n  muster org add emea\n  muster keys create --org emea --name siem --holder ada@example.com --permission read-only',
  async run(context, { words: [name = ''] }) {
    if (!/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u.test(name)) {
      throw new UsageError(
        `NAME is ${JSON.stringify(name)}, but must be 1 to 64 letters, digits, dots, dashes or underscores, and begin with a letter or digit.`,
      )
    }
    const made = await withStore(context.config(), (db) => {
      const nowMs = systemClock.nowMs()
      const nowSeconds = Math.floor(nowMs / 1000)
      return db.inTransaction(async (tx) => {
        // Number 1 is that of the default organisation, whenever it is made.
        await ensureDefaultOrganisation(tx, newId(nowMs), nowSeconds)
        if (await findOrganisation(tx, name)) throw new UniqueViolationError('organisations', undefined)
        const made = await addOrganisation(tx, newId(nowMs), name, nowSeconds)
        await tellCliChange(tx, made.no, 'organisation', [added('name', name)])
        return made
      })
    }).catch((error: unknown) => {
      if (error instanceof UniqueViolationError)
        throw new CommandFailure(`There is an organisation ${name} already.`)
      if (error instanceof RangeError) throw new CommandFailure(error.message)
      throw error
    })
    if (context.json) context.printJson(shown(made))
    else context.print(`The organisation ${name} (${made.id}) was added.`)
  },
})

/** `muster org list` */
export const orgList = defineCommand({
  name: 'org list',
  summary: 'List the organisations',
  needsStore: true,
  json: true,
  options: {},
  details: 'Example:\n  muster org list --json',
  async run(context) {
    const all = await withStore(context.config(), listOrganisations)
    if (context.json) return context.printJson(all.map(shown))
    const rows = all.map(({ id, name, creationTimestamp }) => [id, name, momentText(creationTimestamp)])
    context.print(textTable(['ID', 'NAME', 'CREATED'], rows))
  },
})
