import { generateKeyPairSync } from 'node:crypto'
import type { Page } from 'playwright-core'

/** Answers the browser's FedCM account chooser, as a user with an account does. */
export async function answerFedCm(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  session.on('FedCm.dialogShown', ({ dialogId, dialogType }) => {
    // Returning users are signed in without a question.
    if (dialogType === 'AccountChooser')
      void session.send('FedCm.selectAccount', { dialogId, accountIndex: 0 })
  })
  await session.send('FedCm.enable', { disableRejectionDelay: true })
}

/** Plugs in a security key that is registered at a site and confirms every request. */
export async function plugInSecurityKey(page: Page, site: string): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'usb',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  await session.send('WebAuthn.addCredential', {
    authenticatorId,
    credential: {
      credentialId: Buffer.from('key of ada').toString('base64'),
      isResidentCredential: true,
      rpId: site,
      privateKey: privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
      userHandle: Buffer.from('ada').toString('base64'),
      signCount: 1,
    },
  })
}
