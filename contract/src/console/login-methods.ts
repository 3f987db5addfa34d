/** Login methods that the console's lists of accounts are filtered by. The order is kept by stored data: append only. */
export const consoleLoginMethods = ['PASSWORD', 'OIDC', 'SAML', 'OKTA_SWA', 'VENDOR_SSO', 'FEDCM'] as const
export type ConsoleLoginMethod = (typeof consoleLoginMethods)[number]
