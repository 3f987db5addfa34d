import cookie from '@fastify/cookie'
import { notFound } from '@muster/contract/errors'
import type { FastifyInstance } from 'fastify'
import { extensionCounter } from '../features/extensions/extension-counter.ts'
import { administratorHandlers } from './administrators.routes.ts'
import { registerAudit } from './audit.routes.ts'
import { catalogHandlers } from './catalog.routes.ts'
import { bindConsole } from './console-bind.ts'
import { setConsoleHeaders } from './console-headers.ts'
import type { ConsoleParts } from './console-parts.ts'
import { controlsHandlers } from './controls.routes.ts'
import { inventoryHandlers } from './inventory.routes.ts'
import { keyHandlers } from './keys.routes.ts'
import { registerLists } from './lists.routes.ts'
import { noticeHandlers } from './notices.routes.ts'
import { registerOidc } from './oidc.routes.ts'
import type { OidcSettings } from './oidc-client.ts'
import { overviewHandlers } from './overview.routes.ts'
import { registerRecords } from './records.routes.ts'
import { settingsHandlers } from './settings.routes.ts'
import { signInHandlers } from './sign-in.routes.ts'
import { signInMethodHandlers } from './sign-in-methods.routes.ts'
import { streamHandlers } from './streams.routes.ts'
import { webhookHandlers } from './webhooks.routes.ts'

/** Everything under `/console/api`: what the page of the console asks for. */
export async function registerConsole(
  app: FastifyInstance,
  parts: ConsoleParts,
  oidc: OidcSettings | undefined,
): Promise<void> {
  await app.register(cookie)
  app.decorateRequest('consoleSession', undefined)
  app.addHook('onRequest', (_request, reply, done) => {
    setConsoleHeaders(reply)
    done()
  })
  app.setNotFoundHandler(() => {
    throw notFound()
  })
  // Else the page itself would answer: every path that is not here is a place in it.
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
    ...overviewHandlers(parts),
    ...settingsHandlers(parts),
    ...webhookHandlers(parts),
    ...streamHandlers(parts),
    ...noticeHandlers(parts),
  })
  const counter = extensionCounter(parts)
  app.addHook('onClose', () => counter.stop())
  registerAudit(app, parts)
  registerLists(app, parts, { extensionGroups: (org) => counter.freshen(org) })
  await registerRecords(app, parts, parts.services)
  if (oidc) registerOidc(app, parts, oidc)
}
