import type { MfaMethod } from '../../logins/login-messages.ts'
import { type WordSearch, type WordTest, wordList, wordSearch } from './word-list.ts'

/** Words of pages that ask for a second step, in the syntax of `wordList`. */

/** Pages that wait for an approval on another device. */
const waitsForPush = wordSearch(
  '(approve/approving/confirm/accept/respond to)~(request/notification/prompt), sent a (push/notification), sent you a (push/notification), notification (was/has been)? ?sent, push sent',
  'respond on your, tap yes, open your~app (and/to) (approve/tap/confirm), (enter/tap/select/match)~number (shown/below/you see/on your), (enter/match/select/tap/choose/pick) (the)? ?number #, (enter/match) the number, waiting for (your)? ?approval, check your phone',
  'approve (this/the)? ?(sign in/log in)( attempt)?, approve on your, number matching, *anforderung (genehmigen/bestatigen), genehmigen sie, benachrichtigung~(gesendet/gesandt/geschickt), tippen sie auf~ja',
  '(elige/selecciona)~numero #, choisissez~(nombre/numero) #, wahlen sie~zahl #, (escolha/selecione)~numero #, (scegli/seleziona)~numero #, kies~getal #, wybierz~liczbe #, выберите~число #, [0-9]+ sayisini sec*, 数字の?#, 选择数字 ?#, 選擇數字 ?#, 숫자 ?#, الرقم #, संख्या #',
  'approuvez, approuver la, notification~envoyee?, appuyez sur~oui, (aprueb(e/a)/aprobar)~(solicitud/inicio), (enviado/enviamos) una notificacion, notificacion~enviad*',
  '(aprove/aprovar)~(solicitacao/pedido/inicio), (enviamos/enviado) uma notificacao, notificacao~enviad*, (approva/conferma)~(richiesta/accesso), (inviato una) notifica, notifica inviata',
  '(keur/bevestig)~(aanmeld/inlog)*, melding (verzonden/gestuurd), (zatwierdz/potwierdz)~(logowani*/prosb*), wyslalismy powiadomienie, (подтвердите/одобрите)~(вход/запрос), отправ*~уведомлени*',
  '(підтвердіть/схваліть)~(вхід/запит), надіслали~сповіщення, (giris/oturum)~onayla*, bildirim gonder*, (schvalte/potvrdte)~(prihlaseni/zadost), (godkann/godkend/godkjenn)~(inloggning/anmodning/palogging)*',
  'hyvaksy~(kirjautum/pyynto)*, 通知を送信, 承認してください, サインイン(要求)?を?承認, 推送通知, 批准登(录/入), 已(发/傳)送通知, 在(您的)?手(机/機)上(确认/確認)',
  '알림을 보냈, 요청을 ?승인, 승인해 ?주세요, أرسلنا إشعار, وافق على, الموافقة على الطلب, सूचना भेजी, अनुरोध स्वीकार',
)

const namesPush = wordSearch(
  'push (notification/request)s?, push benachrichtigung*, powiadomienie push, プッシュ通知, 푸시 알림, पुश सूचना, إشعار',
)

const firstPlace = (one: number, other: number) => (one < 0 ? other : one)

/** Words for each method. */
export const methodWords: readonly (readonly [MfaMethod, WordSearch])[] = [
  [
    'BACKUP_CODES',
    wordSearch(
      '(back up/recovery/scratch/emergency) (code/key)s?, wiederherstellungscode*, ersatzcode*, code de (secours/recuperation)',
      'codigo de (respaldo/recuperacion/recuperacao), codigo reserva, codice di (recupero/backup), herstelcode*, kod zapasowy',
      'kod odzyskiwania, резервн* код*, резервний код, код восстановления, yedek kod*, kurtarma kodu, zalozni kod, aterstallningskod*',
      'gendannelseskode*, gjenopprettingskode*, palautuskood*, リカバリーコード, バックアップコード, 回復コード, 恢复代码, 恢復碼, 备用码, 備用碼',
      '복구 코드, 백업 코드, رمز الاسترداد, الرموز الاحتياطية, बैकअप कोड, रिकवरी कोड',
    ),
  ],
  ['PUSH_NOTIFICATION', (text) => firstPlace(waitsForPush(text), namesPush(text))],
  [
    'WEBAUTHN',
    wordSearch(
      'security key*, pass key*, webauthn, fido2?, touch id, face id, windows hello, finger print, yubikey, biometric*',
      'sicherheitsschlussel*, passschlussel, cle de securite, cle d acces, llave de seguridad, clave de (seguridad/acceso), chave de (seguranca/acesso)',
      'chiave di sicurezza, beveiligingssleutel, toegangssleutel, klucz* (bezpieczenstwa/dostepu), ключ* (безопасности/доступа)',
      'ключ* безпеки, guvenlik anahtari, gecis anahtari, bezpecnostni klic*, sakerhetsnyckel*, sikkerhedsnogle*, sikkerhetsnokkel*',
      'suojausavain*, セキュリティ ?キー, パスキー, 安全密钥, 安全金鑰, 通行密钥, 通行金鑰, 보안 키, 패스키, مفتاح الأمان, مفتاح المرور, सुरक्षा कुंजी, पासकी',
    ),
  ],
  [
    'PHONE_CALL',
    wordSearch(
      'phone call*, voice call*, call(ing/ed)? (you/your phone/me), robo ?call, rufen sie an, anruf*, telefonanruf, appel (telephonique/vocal), vous appel*',
      'llamada*, le llamar*, chamada telefonica, chamada de voz, ligacao, ligar para, chiamata, chiameremo, telefoonoproep, bellen (we/wij), gebeld',
      'polaczenie (telefoniczne/glosowe), zadzwonimy, звонок, позвон*, дзвінок, зателефон*, sesli arama, telefon aramasi, arariz, telefonat*',
      'telefonsamtal, ringer (dig/deg/dig op), telefonopkald, telefonsamtale, puhelu*, soitamme, 音声通話, 電話をかけ, 電話でコード, 语音电话, 語音電話, 致电, 來電, 来电',
      '전화를 겁니다, 음성 통화, 전화 통화, مكالمة, سنتصل, फ़ोन कॉल, कॉल करेंगे',
    ),
  ],
  [
    'APP_TOTP',
    wordSearch(
      'authenticator*, authentication app*, authy, totp, verification app*, code generator, authentifizierungs app*, authentifikator*, app d authentification',
      'application d authentification, application (de verification), aplicacion de autenticacion, app de autenticacion, autenticador*',
      'aplicativo (de autenticacao/autenticador), app di autenticazione, autenticatore, authenticatie app*, verificatie app*, aplikacj* uwierzytelniajac*',
      'aplikacj* authenticator, приложени* (для)? ?(проверки/аутентификац*), из приложения, застосун* для (автентиф*/перевірки), dogrulayici, dogrulama uygulama*, kimlik dogrulama uygulama*',
      'autentizacn* aplikac*, overovac* aplikac*, autentiserings app*, autentiseringsapp*, godkendelsesapp*, autentificeringsapp*, todennussovellu*, 認証アプリ, 認証システム',
      '認証用アプリ, 身份验证器, 驗證器, 验证器, 身份验证应用, 驗證應用, 动态令牌, 인증 앱, 인증기, 인증 애플리케이션, OTP 앱, تطبيق المصادقة, تطبيق مصادقة, تطبيق التحقق, ऑथेंटिकेटर, प्रमाणक ऐप, प्रमाणीकरण ऐप',
    ),
  ],
  [
    'SMS_OTP',
    wordSearch(
      'text message*, sms, texted, sent~to your (phone/mobile), sent~phone number, sent~ending (in/with) #, sent~[\\x2a•·x][\\x2a•·x]~#, number ending',
      'ending in ##, via text, by text, per sms, kurznachricht*, nachricht an ihr (handy/telefon), mobilnummer~gesendet, an ihr (handy/telefon/mobiltelefon)',
      'par sms, message texte, envoye~(telephone/portable/mobile), mensaje de texto, enviad*~(telefono/movil/celular), mensagem de texto, enviad*~telefone',
      'messaggio di testo, inviato~(telefono/cellulare), sms bericht*, sms je, verzonden~telefoon*, wysl*~(telefon/numer)*, wiadomosc (tekstowa/sms), смс*',
      'сообщени*~(телефон/номер)*, отправ*~(телефон/номер)*, надісла*~(телефон/номер)*, kisa mesaj, telefonunuza, textov* zprav*, na (vas)? ?telefon, textmeddelande, tekstmelding, tekstbesked, besked til dit',
      'tekstiviesti*, ショートメッセージ, 電話番号に, 携帯電話に, テキストメッセージ, 短信, 簡訊, 发送至手机, 发送到手机, 传送至手機, 手机号, 手機號, 문자, 휴대전화로, 휴대폰으로, رسالة نصية, إلى هاتفك, إلى رقم, رسالة قصيرة',
      'एसएमएस, टेक्स्ट संदेश, फ़ोन पर, मोबाइल नंबर पर',
    ),
  ],
  [
    'EMAIL_OTP',
    wordSearch(
      'e mailed, sent~(your e mail*/inbox/e mail address), sent~.@., sent (an/you an) e mail, (check/open) your (e mail*/inbox), by e mail, via e mail, e mail code, code~e mail, e mail~code',
      'e mail~(gesendet/geschickt/gesandt), per e mail, postfach, (envoye*)~(e mail*/courriel/adresse), par e mail, par courriel, (enviad*/enviamos)~(correo/e mail), por correo',
      'correo electronico, por e mail, (inviat*)~(e mail/posta), via e mail, (verzonden/gestuurd)~e mail, e mail~(verzonden/gestuurd), (wyslan*/wyslalismy)~(e mail/mail), e mailem',
      '(отправ*/выслан*)~(почт*/письм*/e mail), на почту, на (вашу)? ?электронн*, (надісла*)~(пошт*/лист*/e mail), (e posta)~(gonder*), e postaniza, e mail~(odesl*/zasl*), (skickat/sendt)~(e post/mail/e mail), sahkoposti*',
      'メールで, メールに, メールアドレスに, メールをご確認, 邮件, 郵件, 邮箱, 郵箱, 电子邮箱, 電子信箱, 이메일, 메일로, بريدك, البريد الإلكتروني, ईमेल',
    ),
  ],
  [
    'HARDWARE_TOTP',
    wordSearch(
      'hardware token*, rsa securid, token code, hard token, key fob, (token/device) display*, jeton materiel, token fisico, hardwaretoken, аппаратн* токен',
      'ハードウェアトークン, 硬件令牌, 硬體權杖, 하드웨어 토큰, رمز الجهاز',
    ),
  ],
  [
    'GRID_CARD',
    wordSearch('grid card*, matrix card*, tan list*, tan nummer, coordinate card*, carta di coordinate'),
  ],
]

/** Codes that a device of the user generates, unless the page says that it sent them. */
export const namesGeneratedCode = wordSearch(
  '*one time (code/password/pin/passcode)*, otp*, (log in/sign in/security/access/verification) token, single use code, einmal(code/passwort/kennwort)*',
  '(code/mot de passe) (a)? ?usage unique, (codigo/contrasena/clave/senha) (de uso)? ?unico, (codigo/contrasena/clave) de un solo uso, (codice/password) monouso, codice usa e getta',
  'eenmalige? (code/wachtwoord), (kod/haslo) jednorazow*, jednorazow* (kod/haslo), одноразов* (код/парол)*, tek kullanimlik (kod/sifre)*, jednorazov* (kod/heslo), engangs(kod/kode/losen/passord/adgangskode)*',
  'kertakaytto*, ワンタイム(パスワード/コード), 一次性(密码/密碼/代码/验证码/驗證碼/口令), 일회용 ?(비밀번호/코드/암호), (رمز/كلمة مرور) لمرة واحدة, वन टाइम (पासवर्ड/कोड)',
)

/** Codes that were sent to the user, or can be sent again. */
export const saysCodeSent = wordList(
  'sent, (re)?send, receiv*, deliver*, arriv*, (zu)?(ge/ver)?sende(t/n), (zu)?(ge/ver)?schick(t/en), (zu)?(ge/ver)sandt, erhalten, envoy*, renvoy*, recue?, recevoir, envia*, reenvia*, recib*, receb*',
  'inviat*, invia, reinvia, ricev*, verzonden, *gestuurd, verstu*, verzend*, ontvang*, wysl*, otrzym*, отправ*, высла*, присла*, получ*, надісла*, надішл*, отрима*, gonder*, odesl*, zasl*, posl*',
  'skicka*, sendt, sende*, mottatt, modtag*, lahet*, 送信, 送りし, 届, 发送, 發送, 傳送, 传送, 寄送, 收到, 보냈, 보내, 전송, 발송, أرسل, إرسال, भेज, प्राप्त',
)

/** Pages that wait for a proof of identity without a code. */
const waitsForProof = wordSearch(
  'verify with (your/a/an), (verification/sign in/log in) link~or enter (the/a/your) code, mit (ihrer/deiner)? ?e mail* verifizieren, verifi(er/ez) (avec/a l aide de) votre, verifi(car/que) con (tu/su), verifi(car/que) com (o)? ?seu',
  '(use/insert/touch/tap) your (security key/pass key), verify (it s you/your identity), choose (how/a way)~(sign in/log in/verify), select~(verification/authentication) method',
  'bestatigen sie~identitat, identitat bestatigen, sicherheitsschlussel~(einstecken/beruhren/verwenden), (verifiez/confirmez) (votre)? ?identite, inserez~cle, verifi(ca/que) (tu/su) identidad',
  '(verifique/confirme) (a)? ?sua identidade, verifica la tua identita, bevestig (je/uw) identiteit, potwierdz (swoja)? ?tozsamosc, подтвердите~личность, підтвердіть~особу',
  'kimliginizi dogrula*, (overte/potvrdte)~totoznost, (bekrafta/bekraeft/bekreft) (din/dit)? ?identitet, vahvista henkilollisyy*',
  '本人確認, 验证您的身份, 驗證您的身分, 본인 확인, تأكيد هويتك, अपनी पहचान',
)

/** Returns true for a page without a field that waits for a step on another device, or for a security key. */
export const waitsForDevice: WordTest = (text) => waitsForPush(text) >= 0 || waitsForProof(text) >= 0

/** Names of second steps. */
export const namesSecondStep = wordList(
  '(two/2/multi) (step/factor) (verification/authentication/sign in/log in), 2fa, mfa, (zwei faktor/zweistufig/bestatigung in zwei)*, (double/deux) (authentification/facteur*/etapes)',
  '(authentification/verification) (a/en) (deux/2/double)*, (autenticacion/verificacion) (de/en) (dos/2), (autenticacao/verificacao) (de/em) (dois/duas/2), (autenticazione/verifica) (a/in) (due/2)',
  '(tweestaps/twee stappen/tweefactor/verificatie in twee)*, (uwierzytelni*/weryfikac*) dwu*, dwuskladnik*, двухфактор*, двухэтап*, двоетап*, двофактор*, iki (adimli/faktorlu/asamali)*',
  'dvoufaktor*, dvoufazov*, tvastegs*, tvafaktor*, totrins*, tofaktor*, kaksivaihei*, 二要素認証, 二段階認証, 2段階認証, 多要素認証, 两步验证, 兩步驟驗證, 双重验证, 雙重驗證, 双因素, 雙因素, 多重要素, 多因素',
  '2단계 인증, 이중 인증, 2단계 확인, المصادقة الثنائية, التحقق بخطوتين, المصادقة متعددة, दो-चरणीय, दो चरण, द्वि-कारक, टू-फ़ैक्टर',
)

/** Words that offer to set up a second step, now or later. */
export const offersSecondStep = wordList(
  'turn(ing)? (it)? ?on, enabled?, set(ting)? (it)? ?up, skip, not now, later, activate, aktivieren, einrichten, uberspringen, spater, activer, configurer, ignorer, plus tard',
  'activar, configurar, omitir, mas tarde, ativar, pular, depois, attiva*, salta, piu tardi, inschakelen, instellen, overslaan, later, wlacz, skonfiguruj, pomin, включить, настроить, пропустить',
  'увімкнути, налаштувати, etkinlestir, kur, atla, povolit, nastavit, preskocit, aktivera, aktiver, 有効にする, 設定する, スキップ, 後で, 启用, 啟用, 设置, 設定, 跳过, 略過, 사용 설정, 건너뛰기, 나중에, تفعيل, تخطي, सक्षम, छोड़ें',
)

/** Codes or links that confirm an address at sign-up. */
export const saysAddressConfirmation = wordList(
  '(verify/confirm/validate/activate) (your/the/this)? ?e mail*, e mail (address)? ?(verification/confirmation), (complete/finish) (your)? ?(registration/sign up), (activate/verify) your account, to (complete/finish)~(registration/sign up), almost there, thanks for (signing up/registering)',
  '(e mail*) (adresse)? ?bestatigen, bestatigen sie ihre e mail*, bestatige deine e mail*, registrierung abschliessen, (confirmez/verifiez/confirmer/verifier) (votre)? ?(adresse)? ?(e mail/courriel), finaliser (votre)? ?inscription',
  '(confirma/confirme/verifica/verifique/confirmar) (tu/su/seu/o seu)? ?(correo/e mail), (completar/completa) (tu/el)? ?registro, (conferma/verifica) (la tua)? ?e mail, completa la registrazione, (bevestig/verifieer) (je/uw)? ?e mail*',
  '(potwierdz/zweryfikuj) (swoj)? ?(adres)? ?e mail, подтвердите~(почт*/e mail), завершени* регистрации, підтвердіть~(пошт*/e mail), e posta~dogrula*, (overte/potvrdte)~e mail, (bekrafta/bekraeft/bekreft) (din)? ?(e post/e mail/mail)*, vahvista sahkoposti*',
  'メールアドレスを?確認, メールアドレスの確認, 登録を完了, 验证您的(电子邮件/邮箱), 驗證您的(電子郵件/信箱), 完成注册, 完成註冊, 이메일 (주소)?를? ?(확인/인증), 가입을 완료, (تأكيد/تحقق من) بريدك, تأكيد البريد, ईमेल (सत्यापित/की पुष्टि)',
)
