import { type Role, roleCovers } from '@muster/contract/console/console-operation'
import {
  type FirstStep,
  firstSteps,
  type firstStepsOperations,
} from '@muster/contract/console/first-steps/console-first-steps'
import type { ConsoleHandlers } from '../console/console-bind.ts'
import type { ConsoleParts } from '../console/console-parts.ts'
import { dismiss, doneSteps, isDismissed } from './first-steps.store.ts'

/** Role that each step needs. */
const roleOf: Readonly<Record<FirstStep, Role>> = {
  ORGANIZATION: 'OWNER',
  EMPLOYEES: 'FULL_ACCESS',
  BROWSER: 'FULL_ACCESS',
  SINGLE_SIGN_ON: 'OWNER',
  WEBHOOK: 'FULL_ACCESS',
}

/** Handlers for the checklist of a new organization. */
export function firstStepsHandlers(parts: ConsoleParts): ConsoleHandlers<keyof typeof firstStepsOperations> {
  const { db, signOn } = parts
  return {
    readFirstSteps: async ({ caller }) => {
      const { org, id, role } = caller.administrator
      const found = await doneSteps(db, org)
      const done: Readonly<Record<FirstStep, boolean>> = {
        ORGANIZATION: found?.organization === 1,
        EMPLOYEES: found?.employees === 1,
        BROWSER: found?.browser === 1,
        SINGLE_SIGN_ON: signOn.of(org) !== undefined,
        WEBHOOK: found?.webhook === 1,
      }
      return {
        dismissed: await isDismissed(db, org, id),
        steps: firstSteps
          .filter((step) => roleCovers(role, roleOf[step]))
          .map((step) => ({ step, done: done[step] })),
      }
    },

    dismissFirstSteps: async ({ caller, origin }) => {
      const { org, id } = caller.administrator
      await db.inTransaction((tx) => dismiss(tx, org, id, origin.nowSeconds))
      return {}
    },
  }
}
