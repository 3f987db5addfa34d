/** Login methods in the console's account filters. Stored data depends on the order: append only. */
export const consoleLoginMethods = ['PASSWORD', 'OIDC', 'SAML', 'OKTA_SWA', 'VENDOR_SSO', 'FEDCM'] as const
export type ConsoleLoginMethod = (typeof consoleLoginMethods)[number]
