import { productCategories } from '@muster/contract/catalog/product-categories'
import { findingWords } from '@muster/contract/records/finding-words'

/** Labels of contract values. Values without an entry are converted by {@link labelOf}. */
const words: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(productCategories).map(([id, { name }]) => [id, name])),
  ...Object.fromEntries(Object.entries(findingWords).map(([type, { label }]) => [type, label])),
  BLOCKED_URL: 'Blocked address',
  MALWARE_DELIVERY: 'Malware delivery',
  MALICIOUS_BROWSER_EXTENSION: 'Malicious extension',
  EMPLOYEE_WARNED: 'Warned',
  EMPLOYEE_IGNORED_WARNING: 'Warning ignored',
  BENIGN_TRUE_POSITIVE: 'Benign true positive',
  TRUE_POSITIVE: 'True positive',
  FALSE_POSITIVE: 'False positive',
  NOT_CLASSIFIED: 'Not classified',
  ONE_PERSON: 'One person',
  MANY_PEOPLE: 'Many people',
  REGISTERED: 'On',
  NOT_REGISTERED: 'Off',
  UNKNOWN: 'Not checked',
  PASSWORD: 'Password',
  VENDOR_SSO: 'Vendor single sign-on',
  MACOS: 'macOS',
  CHROMEOS: 'ChromeOS',
  TOTP: 'Authenticator app',
  PASSKEY: 'Passkey',
  RECOVERY_CODE: 'Recovery code',
  APP_TOTP: 'Authenticator app',
  EMAIL_OTP: 'E-mail code',
  SMS_OTP: 'SMS code',
  U2F: 'Security key (U2F)',
  HARDWARE_TOTP: 'Hardware token',
  WEBAUTHN: 'Passkey or security key',
  USERNAME_PASSWORD: 'Password',
  OKTA_SWA: 'Okta SWA',
  OIDC: 'OpenID Connect',
  SAML: 'SAML',
  FEDCM: 'FedCM',
  FULL_ACCESS: 'Full access',
  READ_ONLY: 'Read only',
  ENTITY: 'Records',
  ACTIVITY: 'Activity',
  CONTROL: 'Controls',
  DETECTION: 'Detections',
  AUDIT: 'Audit trail',
  API_DEPRECATED: 'API version deprecated',
  API_DEPRECATION_WITHDRAWN: 'Deprecation withdrawn',
  KEY_EXPIRES: 'Key expires',
  WEBHOOK_SWITCHED_OFF: 'Webhook disabled',
  MONTHLY_REPORT: 'Monthly report',
  FINDINGS_REQUEST: 'Request to an employee',
  ALERT: 'Alert',
  PENDING: 'Pending',
  WORK: 'Work address',
  PRIVATE: 'Private address',
  USER_NAME: 'User name',
  true: 'Yes',
  false: 'No',
}

/** Returns the label of a contract value: `Under review` for `UNDER_REVIEW`. */
export function labelOf(value: string | boolean): string {
  const text = String(value)
  return words[text] ?? text.charAt(0).toUpperCase() + text.slice(1).toLowerCase().replaceAll('_', ' ')
}

/** Labels of members whose names are not clear. */
const members: Readonly<Record<string, string>> = {
  deploymentMode: 'Installed by',
  hostReach: 'Site access',
  everySite: 'Access to all sites',
  isActive: 'Active',
  majorVersion: 'Browser version',
  agentVersion: 'Agent version',
  mfaRegistered: 'MFA',
  mfa: 'MFA',
  appType: 'App',
  anyLabel: 'Any of these labels',
  createdWithin: 'Added',
  aiTool: 'AI tool',
  aiUse: 'Uses AI tools with',
  appUsedTimestampAfter: 'App used after',
  signInMethod: 'Sign-in method',
  except: 'Without',
  passwordSeen: 'Password seen',
  workStatus: 'Status',
  os: 'Operating system',
  risk: 'Risk',
}

/** Returns the label of a member or filter: `Last online after` for `lastOnlineTimestampAfter`. */
export function memberLabel(name: string): string {
  const known = members[name]
  if (known !== undefined) return known
  const spaced = name
    .replace('Timestamp', '')
    .replaceAll(/([A-Z])/g, ' $1')
    .toLowerCase()
    .trim()
  return (spaced.charAt(0).toUpperCase() + spaced.slice(1)).replace(/ id$/, '').replace('Creation', 'Added')
}

type Tone = 'critical' | 'high' | 'medium' | 'good' | 'accent' | ''

const tones: Readonly<Record<string, Tone>> = {
  CRITICAL: 'critical',
  HIGH: 'high',
  MEDIUM: 'medium',
  P1: 'critical',
  P2: 'high',
  P3: 'medium',
  OPEN: 'high',
  TO_DO: 'high',
  RISK_ACCEPTED: 'medium',
  RESOLVED: 'good',
  CLOSED: 'good',
  APPROVED: 'good',
  NOT_APPROVED: 'critical',
  UNDER_REVIEW: 'medium',
  TRUE_POSITIVE: 'critical',
  BLOCKED: 'good',
  EMPLOYEE_IGNORED_WARNING: 'high',
  EMPLOYEE_WARNED: 'medium',
  REQUESTED: 'accent',
  ACTIVE: 'good',
  DELIVERED: 'good',
  SENT: 'good',
  PENDING: 'medium',
  SENDING: 'accent',
  IN_DOUBT: 'high',
  FAILED: 'critical',
}

/** Returns the color class of a value. */
export const toneOf = (value: string): Tone => tones[value] ?? ''
