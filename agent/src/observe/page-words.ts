import type { MfaMethod } from '../logins/login-messages.ts'

/**
 * What pages say around sign-ins, in the languages that they most often speak. Texts come lower-cased and
 * with single spaces.
 */

const failures = [
  /\b(?:incorrect|invalid|wrong)\b.{0,60}\b(?:password|credentials?|user ?name|e-?mail|login|details|code)/,
  /\b(?:password|credentials?|user ?name|e-?mail|login|log-?in|sign-?in|details|code)\b.{0,60}\b(?:incorrect|invalid|wrong|not match|don't match|doesn't match|not recogni[sz]ed|failed)/,
  /\b(?:login|log-?in|sign-?in|authentication) (?:has )?(?:failed|unsuccessful|error)/,
  /\b(?:unable to|could ?n[o']t|can ?n[o']t|couldn't|can't) (?:log|sign) (?:you )?in/,
  /\baccount (?:is |has been )?(?:locked|disabled|suspended)/,
  /\btoo many (?:failed )?(?:attempts|logins)/,
  /\b(?:account|user|user ?name|e-?mail(?: address)?)\b.{0,60}\balready (?:exists|in use|registered|taken)\b/,
  /\baccess denied\b|\bunauthori[sz]ed\b|\bforbidden\b/,
  /(?:falsch|ungültig|nicht korrekt|fehlgeschlagen).{0,40}|passwort ist falsch/,
  /mot de passe.{0,40}(?:incorrect|invalide|erroné)|identifiants? .{0,20}(?:incorrect|invalide)/,
  /contraseña.{0,40}(?:incorrecta|no es válida|errónea)|credenciales.{0,20}(?:incorrectas|no válidas)/,
  /password.{0,30}(?:errata|non corrett[ao]|non valid[ao])|senha.{0,30}(?:incorreta|inválida)/,
  /wachtwoord.{0,30}(?:onjuist|ongeldig)|hasło.{0,30}(?:nieprawidłowe|błędne)|неверн.{0,30}парол/,
]

/** Whether a message, such as that of an alert, says that a login failed. */
export const saysFailure = (message: string): boolean => failures.some((pattern) => pattern.test(message))

const refusals =
  /\bpasswords?\b.{0,40}\b(?:must|should|needs? to|has to|(?:is )?too (?:short|long|weak|common)|(?:do(?:es)? not|don'?t|doesn'?t) match)\b/

/** Whether an alert says what is wrong with a password. Elsewhere that is but a hint on which ones are taken. */
export const refusesPassword = (alert: string): boolean => refusals.test(alert)

const secondSteps: readonly (readonly [RegExp, MfaMethod | 'UNKNOWN'])[] = [
  [/\bbackup code|\brecovery code|wiederherstellungscode|code de secours/, 'BACKUP_CODES'],
  [
    /\b(?:approve|confirm|accept|check)\b.{0,60}\b(?:sign-?in request|request on your|notification|prompt)|\bpush (?:notification|request)|\bsent a (?:push|notification)|open your .{0,40}app (?:and|to) (?:approve|tap)|tap yes on your|anmeldeanforderung genehmigen|benachrichtigung.{0,30}(?:gesendet|gesandt)/,
    'PUSH_NOTIFICATION',
  ],
  [
    /\bsecurity key\b|\bpasskey\b|\bwebauthn\b|\bfido2?\b|touch id|face id|windows hello|sicherheitsschlüssel|clé de sécurité/,
    'WEBAUTHN',
  ],
  [/\bphone call\b|\bcall(?:ing|ed)? (?:you|your phone)|rufen sie an/, 'PHONE_CALL'],
  [
    /\b(?:authenticator|authentication app|authy|totp)\b|authentifizierungs-?app|application d'authentification/,
    'APP_TOTP',
  ],
  [
    /\b(?:text message|sms|texted)\b|\bsent .{0,40}(?:to your (?:phone|mobile)|phone number|\(?[•*x·]{2,}\)?.{0,6}\d{2}\b)|ending in \d{2}/,
    'SMS_OTP',
  ],
  [
    /\b(?:emailed|e-?mailed)\b|\bsent .{0,60}(?:to your e-?mail|inbox)|\bsent .{0,60}\S@\S|\bcheck your (?:e-?mail|inbox)|e-?mail.{0,40}(?:gesendet|geschickt)/,
    'EMAIL_OTP',
  ],
  [/\bhardware token\b|\brsa securid\b|\btoken code\b/, 'HARDWARE_TOTP'],
]

const asksSecondStep =
  /\b(?:two|2|multi)[- ]?(?:step|factor)\b|\b2fa\b|\bmfa\b|\bverif(?:y|ication) (?:it'?s you|your identity|code)|\b(?:one-time|security|verification|authentication) (?:pass)?code|\benter (?:the |your )?(?:\d-digit |six-digit )?code\b|bestätigungscode|sicherheitscode|code de (?:vérification|sécurité)|código de verificación|approve sign-?in/

/**
 * The kind of second step that a page speaks of.
 *
 * @param text what can be read on the page
 * @param hasCodeField whether there is a field for a code
 * @returns `UNKNOWN` if it asks for one without saying which; null if it does not ask. A page without a
 * field must say that it waits for one; that it offers one in its settings is not enough.
 */
export function secondStepOf(
  text: string,
  hasCodeField: boolean,
  _controls = '',
): MfaMethod | 'UNKNOWN' | null {
  if (!hasCodeField && !waitsForStep(text)) return null
  const found = secondSteps.find(([pattern]) => pattern.test(text))
  return found ? found[1] : 'UNKNOWN'
}

/** Returns true if a code or link confirms an address at a sign-up: that is no second factor. */
export const confirmsAddress = (text: string): boolean => /\b(?:verify|confirm) your e-?mail\b/.test(text)

/** Longer pages are those of apps, where such words are settings and help. */
const waitPageLength = 1_500

const waits =
  /\b(?:approve|confirm|accept)\b.{0,60}\b(?:request|notification|prompt)|\bsent a (?:push|notification)|tap yes on your|\b(?:use|insert|touch|tap) your (?:security key|passkey)|verify (?:it'?s you|your identity)|choose how .{0,20}sign in|anmeldeanforderung genehmigen/

/** What pages call it that ask for a second step, and those that offer to have one. */
const name = /(?:two|2|multi)[- ]?(?:step|factor) (?:verification|authentication)/
const offers = /\b(?:turn(?:ing)? (?:it )?on|enabled?|set(?:ting)? (?:it )?up|set-?up|skip|not now|later)\b/

const waitsForStep = (text: string) =>
  text.length <= waitPageLength && (waits.test(text) || (name.test(text) && !offers.test(text)))

/** Whether words about a code speak of a second step, where the field alone does not tell. */
export const asksForCode = (text: string): boolean => asksSecondStep.test(text)
