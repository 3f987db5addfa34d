import cookie from '@fastify/cookie'
import { notFound } from '@muster/contract/api/errors'
import type { FastifyInstance } from 'fastify'
import { administratorHandlers } from '../modules/administrators/administrators.routes.ts'
import { rolloutHandlers } from '../modules/agents/rollout.routes.ts'
import { alertHandlers } from '../modules/alerts/alerts.routes.ts'
import { keyHandlers } from '../modules/api-keys/keys.routes.ts'
import { appPageHandlers } from '../modules/apps/app-pages.routes.ts'
import { registerAudit } from '../modules/audit/audit.routes.ts'
import { catalogHandlers } from '../modules/catalog/catalog.routes.ts'
import { bindConsole } from '../modules/console/console-bind.ts'
import { setConsoleHeaders } from '../modules/console/console-headers.ts'
import type { ConsoleParts } from '../modules/console/console-parts.ts'
import { controlsHandlers } from '../modules/controls/controls.routes.ts'
import { coverageHandlers } from '../modules/coverage/coverage.routes.ts'
import { extensionCounter } from '../modules/extensions/extension-counter.ts'
import { firstStepsHandlers } from '../modules/first-steps/first-steps.routes.ts'
import { incidentHandlers } from '../modules/incidents/incidents.routes.ts'
import { inventoryHandlers } from '../modules/lists/inventory.routes.ts'
import { registerLists } from '../modules/lists/lists.routes.ts'
import { registerRecords } from '../modules/lists/records.routes.ts'
import { savedFilterHandlers } from '../modules/lists/saved-filters.routes.ts'
import { registerSearch } from '../modules/lists/search.routes.ts'
import { noticeHandlers } from '../modules/notices/notices.routes.ts'
import { offboardingHandlers, registerOffboarding } from '../modules/offboarding/offboarding.routes.ts'
import { settingsHandlers } from '../modules/organizations/settings.routes.ts'
import { overviewHandlers } from '../modules/overview/overview.routes.ts'
import { personalDataHandlers, registerPersonalData } from '../modules/personal-data/personal-data.routes.ts'
import { priorityHandlers } from '../modules/risk/risk.routes.ts'
import { directoryHandlers } from '../modules/scim/directory.routes.ts'
import { settingPageHandlers } from '../modules/settings/setting-pages.routes.ts'
import { registerOidc } from '../modules/sign-in/oidc.routes.ts'
import { signInHandlers } from '../modules/sign-in/sign-in.routes.ts'
import { signInMethodHandlers } from '../modules/sign-in/sign-in-methods.routes.ts'
import { streamHandlers } from '../modules/streams/streams.routes.ts'
import { trendHandlers } from '../modules/trends/trends.routes.ts'
import { webhookHandlers } from '../modules/webhooks/webhooks.routes.ts'
import { workHandlers } from '../modules/work/work.routes.ts'

/** Registers `/console/api`, the API of the console. */
export async function registerConsole(app: FastifyInstance, parts: ConsoleParts): Promise<void> {
  await app.register(cookie)
  app.decorateRequest('consoleSession', undefined)
  app.addHook('onRequest', (_request, reply, done) => {
    setConsoleHeaders(reply)
    done()
  })
  app.setNotFoundHandler(() => {
    throw notFound()
  })
  // Otherwise unknown paths would get the console page.
  app.get('/*', () => {
    throw notFound()
  })
  bindConsole(app, parts, {
    ...signInHandlers(parts),
    ...signInMethodHandlers(parts),
    ...administratorHandlers(parts),
    ...keyHandlers(parts),
    ...controlsHandlers(parts),
    ...catalogHandlers(parts),
    ...inventoryHandlers(parts),
    ...savedFilterHandlers(parts),
    ...appPageHandlers(parts),
    ...offboardingHandlers(parts),
    ...overviewHandlers(parts),
    ...firstStepsHandlers(parts),
    ...personalDataHandlers(parts),
    ...priorityHandlers(parts),
    ...rolloutHandlers(parts),
    ...coverageHandlers(parts),
    ...directoryHandlers(parts),
    ...settingsHandlers(parts),
    ...settingPageHandlers(parts),
    ...webhookHandlers(parts),
    ...streamHandlers(parts),
    ...trendHandlers(parts),
    ...noticeHandlers(parts),
    ...workHandlers(parts),
    ...incidentHandlers(parts),
    ...alertHandlers(parts),
  })
  const counter = extensionCounter(parts)
  app.addHook('onClose', () => counter.stop())
  registerAudit(app, parts)
  registerOffboarding(app, parts)
  registerPersonalData(app, parts)
  const preparations = { extensionGroups: (org: number) => counter.freshen(org) }
  registerLists(app, parts, preparations)
  registerSearch(app, parts, preparations)
  await registerRecords(app, parts, parts.services)
  registerOidc(app, parts)
}
