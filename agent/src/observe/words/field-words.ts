/** Words in names and labels of fields, in the syntax of `wordList`. */

export const password = [
  '*password*, passwd, passw, pwd, psw, pass, pass phrase, pass code, pass key word, pswd',
  'passwor(t/te)*, kennwor(t/te)*, mot de passe, mdp, contrasen*, clave, senha*, palavra passe, wachtwoord*',
  'hasl(o/a), парол*, sifre*, parola*, hesl(o/a), losenord*, adgangskode*, kodeord*, passord*, salasana*',
  'パスワード, 密码, 密碼, 口令, 비밀번호, 암호, 패스워드, كلمة المرور, كلمة مرور, كلمة السر, الرقم السري',
  'पासवर्ड, mat khau, kata sandi, jelszo*, סיסמה, รหัสผ่าน, κωδικ*',
]

/** New password. */
export const newPassword = [
  'new, newpass*, choose, create, set a, desired, neue?s?, wahlen, festlegen, nouveau, choisi*, creer, creez, nuev(a/o), elig(e/ir), nov(a/o)',
  'crie, escolha, nuova, scegli, crea, nieuw*, kies, now(e/ego), utworz, yeni, новый, нового, новий, придум*, nove, nytt?, uusi',
  '新しい, 新規, 新密, 새, الجديدة, جديدة, नया, नई',
]

/** Repeated password. */
export const repeatedPassword = [
  'confirm*, repeat*, retype, re type, re enter*, again, verify*, verification, password 2, wiederhol*, bestatig*, erneut*, repet*, retape*',
  'ressaisi*, repit*, vuelva a, conferma*, ripet*, bevestig*, herhaal*, potwierdz*, powtorz*, ponownie, onayla*, tekrar*, подтвер*, підтверд*',
  'повтор*, potvrd*, znovu, zopak*, bekraft*, upprepa, bekraeft*, gentag*, bekreft*, gjenta, vahvista*, toista, uudelleen',
  '確認, 再入力, 再度, 确认, 再次, 重复, 重複, 확인, 재입력, 다시, تأكيد, إعادة, पुष्टि, दोबारा, फिर से',
]

/** Current password, next to one that replaces it. */
export const currentPassword = [
  'current, old, existing, present, aktuell*, alte?s?, bisherig*, jetzig*, actuel, ancien, actual, antigua, anterior',
  'atual, antiga, attuale, vecchia, precedente, huidig*, oude?, obecne, aktualne, stare, dotychczasowe, текущ*, стар*',
  'поточн*, mevcut, eski, soucasne, stavajici, nuvarande, gammalt, nuvaerende, navaerende, gammel, nykyinen, vanha',
  '現在, 今の, 当前, 當前, 目前, 旧密, 舊密, 原密, 현재, 기존, الحالية, القديمة, वर्तमान, पुराना',
]

/** Identity, in any position. */
export const identity = [
  'e mail*, *email, mail, mail adress*, mail address*, user, *user name*, *user id, *userid*, uid, uname, usr, user login, log in',
  'log in name, log in id, *login id, *loginid*, log on*, *logon, loginfmt, sign in name, identifier, identity, account, upn, acct',
  'benutzer*, nutzer*, anmeldename, utilisateur, identifiant*, courriel, adresse electronique, usuario*, correo',
  'utilizador*, nome utente, utente, posta elettronica, gebruiker*, inlognaam, uzytkownik*, логин*, пользовател*, эл почт*',
  'почт*, логін*, користувач*, пошт*, kullanici*, e posta*, uzivatel*, prihlasovaci jmeno, anvandar*, e post, bruger*, bruker*',
  'kayttaja*, sahkoposti*, ユーザー, ユーザ名, ユーザid, メールアドレス, eメール, ログインid, アカウント, 用户名, 用戶名, 使用者',
  '帐号, 账号, 账户, 帐户, 帳號, 帳戶, 邮箱, 郵箱, 电子邮件, 電子郵件, 電郵, 登录名, 登入名, 用户id, 아이디, 사용자, 이메일, 계정',
  'اسم المستخدم, البريد, معرف المستخدم, उपयोगकर्ता, ईमेल, यूज़र, यूजर, ten dang nhap',
]

/** Identity, if next to a password. */
export const identityBesidePassword = [
  'phone*, telephone, tel, mobile, cell, member*, customer*, employee*, staff, personnel, student*, client*, badge, agent id',
  'access id, registration number, id, id number, card number, number, handle, nick, nick name, alias, cn, workspace user, log',
  'kundennummer, mitglied*, personalnummer, mitarbeiter*, telefon*, handy*, mobilnummer, kennung, zugangsnummer, vertragsnummer',
  'portable, numero*, adherent, matricule, compte, movil, cliente, socio, empleado, dni, nif, rut, cuenta, documento, telefone',
  'celular, matricula, cpf, conta, funcionario, cellulare, codice cliente, matricola, codice utente, codice fiscale, dipendente',
  'telefoon*, klant*, personeel*, lidnummer, identyfikator, konto*, pracownik*, pesel, numer*, телефон*, номер*, табельн*',
  'клиент*, аккаунт*, учетн*, клієнт*, обліков*, musteri*, uye*, hesap*, personel*, sicil*, kimlik*, klient*, osobni cislo',
  'zamestnan*, ucet*, kundnummer, personnummer, anstall*, medlem*, kundenummer, medarbejder*, cpr*, ansatt*, fodselsnummer',
  'puhelin*, asiakas*, tyontekij*, henkilo*, tunnus*, 電話番号, 携帯, 会員, 社員, お客様番号, 従業員, 契約者, 手机, 手機, 电话, 電話',
  '工号, 工號, 员工, 員工, 会员, 會員, 客户, 客戶, 学号, 學號, 身份证, 전화, 휴대, 사번, 사원, 회원, 고객, رقم الهاتف, رقم الجوال',
  'رقم الموظف, رقم العميل, رقم العضوية, الحساب, المعرف, رقم الهوية, फ़ोन, फोन, मोबाइल, ग्राहक, कर्मचारी, सदस्य, खाता, आईडी',
]

/** Text fields that do not ask for an identity. */
export const noIdentity = [
  'search*, suche*, news letter, subscrib*, comment*, invite*, recipient, friend, filter*, keyword*, query',
  'recherche*, buscar*, busca, busqueda, cerca, ricerca, zoek*, szukaj*, wyszuk*, поиск*, искать, пошук*, arama, ara, hledat*',
  'sok, etsi, haku, 検索, 搜索, 搜尋, 搜寻, 查找, 검색, بحث, खोज*',
]

/** Fields that may be right before a password but do not ask for an identity. */
export const otherThanIdentity = [
  'first name, last name, given name, family name, sur name, full name, display name, your name, real name, company, compan*',
  'organi(s/z)ation*, captcha*, domain*, tenant*, server*, host*, url, port, database*, website, site name, title, city, street',
  'birth*, country, language, vorname, nachname, firma, prenom, nom, entreprise, societe, nombre, apellido*, empresa, nome, cognome',
  'sobrenome, azienda, voornaam, achternaam, bedrijf*, imie, nazwisko, имя, фамилия, компания, ім я, прізвище, ad, soyad*, sirket*',
  'jmeno, prijmeni, fornamn, efternamn, foretag*, fornavn, efternavn, etternavn, etunimi, sukunimi, yritys, 姓, 氏名, 名前, お名前',
  '会社, 姓名, 公司, 企业, 企業, 验证码, 이름, 성명, 회사, الاسم, الشركة, नाम, कंपनी',
]

/** One-time code. */
export const code = [
  'otp*, *totp, mfa, 2fa, tfa, *one time, single use, verification code, verify code, security code, auth code, authentication code',
  'authenticator*, confirmation code, sms code, text code, otc, token code, # digit, (six/eight/four) digit, two factor',
  '2 factor, second factor, log in code, sign in code, recovery code, back up code, e mail code, verification number, otpcode',
  'bestatigungscode*, sicherheitscode*, verifizierungscode*, einmal*, authentifizierungscode, prufcode, wiederherstellungscode',
  'code de (verification/securite/confirmation/validation/secours/recuperation/connexion), usage unique, code d authentification',
  'code sms, code recu, codigo de (verificacion/seguridad/confirmacion/autenticacion/recuperacion/respaldo), un solo uso',
  'codigo sms, codigo de (verificacao/seguranca/confirmacao/autenticacao/recuperacao), uso unico, codigo unico',
  'codice di (verifica/sicurezza/conferma/autenticazione/recupero), monouso, verificatiecode, beveiligingscode',
  'bevestigingscode, eenmalig*, herstelcode, authenticatiecode, inlogcode, kod weryfikacyjny, kod bezpieczenstwa',
  '*jednorazow*, kod sms, kod uwierzytelni*, kod potwierdz*, kod autoryz*, kod zapasowy, код подтвержд*, код безопасн*',
  'одноразов*, код из, проверочный код, код проверки, код аутентиф*, резервный код, код підтвердж*, код безпек*',
  'код перевірк*, dogrulama kod*, guvenlik kod*, tek kullanimlik, onay kod*, sms kod*, yedek kod*, overovaci kod',
  'bezpecnostni kod, jednorazov*, potvrzovaci kod, verifieringskod*, sakerhetskod*, engangs*, bekraftelsekod*, bekraeftelseskode*',
  'sikkerhedskode*, verifikationskode*, godkendelseskode*, bekreftelseskode*, sikkerhetskode*, vahvistuskood*, turvakood*',
  'kertakayttoi*, todennuskood*, 確認コード, 認証コード, 検証コード, セキュリティコード, ワンタイム, 認証番号, 桁のコード, リカバリーコード',
  'バックアップコード, 回復コード, 验证码, 驗證碼, 校验码, 动态码, 動態碼, 动态密, 動態密, 安全码, 安全碼, 一次性, 确认码, 確認碼, 验证代码',
  '驗證代碼, 恢复代码, 备用码, 備用碼, 인증번호, 인증 코드, 확인 코드, 보안 코드, 일회용, 복구 코드, 백업 코드, رمز التحقق, رمز الأمان',
  'رمز التأكيد, كود التحقق, لمرة واحدة, رمز المصادقة, رمز الدخول, رمز الاسترداد, सत्यापन कोड, ओटीपी, सुरक्षा कोड, वन टाइम',
  'वन-टाइम, पुष्टिकरण कोड, बैकअप कोड',
]

/** Words for a code that need a second fact. */
export const anyCode = [
  '*code, code*, pin, pin code, m?tan, # digits?, token, pass code, kod*, codigo*, codice, код*, koodi*, kode*, コード, #桁, 代码, 代碼, 코드, رمز, كود, कोड',
]

/** Codes that are not for authentication. */
export const otherCode = [
  'zip*, postal*, post code, promo*, discount*, coupon*, voucher*, gift*, country*, area*, dial*, cvc, cvv, card, tax*, referral*',
  'invit*, captcha*, licen(c/s)e*, product*, company*, organi(s/z)ation*, tenant*, bar code, qr, colou?r*, currency, swift, iban, sort',
  'plz, postleitzahl, gutschein*, rabatt*, einladung*, code postal, cadeau, parrainage, descuento, cupon, cep, desconto, cupom, sconto',
  'promozional*, codice fiscale, korting*, kod pocztowy, rabat*, почтов*, индекс, промокод*, купон*, поштов*, posta kodu, indirim',
  'kupon*, psc, slev*, postnummer, postinumero, 郵便番号, クーポン, プロモーション, 招待コード, 国番号, 邮政, 邮编, 郵遞, 优惠, 優惠, 邀请码',
  '邀請碼, 推荐码, 折扣, 图形, 圖形, 图片, 圖片, 우편번호, 쿠폰, 할인, 초대, 추천, الرمز البريدي, القسيمة, خصم, الدعوة, رمز الدولة',
  'पिन कोड, कूपन, छूट, निमंत्रण',
]
