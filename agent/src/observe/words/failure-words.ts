import { wordList } from './word-list.ts'

/** Words of messages about failed logins, in the syntax of `wordList`. */

/** Rejected credentials or codes. */
export const saysRefused = wordList(
  '(incorrect/invalid/wrong/bad)~(password/credential*/user ?name/e mail/log in/details/code/passcode/user id/account/pin/combination)',
  '(password/credential*/user ?name/e mail/log in/sign in/details/code/passcode/user id/pin/account/user)~(incorrect/invalid/wrong/not match/n t match/not valid/isn t right/not right/not recogni(s/z)ed/not correct/expired/failed/not found/n t exist/not exist)',
  '(log in/sign in/authentication) (has)? ?(failed/unsuccessful/error/failure), failed to (log in/sign in/authenticate), log in attempt failed, authentication (was)? ?(unsuccessful), unknown user, no such (user/account)',
  '(unable to/could ?n o?t/can ?n o?t/couldn t/can t) (log/sign) ?(you)? ?(in), (can t/couldn t/could not) find~account, that didn t work, (please)? ?check your (credentials/password), access denied, unauthori(s/z)ed, forbidden',
  '(passwort/kennwort/benutzername/anmeldedaten/zugangsdaten/code/e mail*)~(falsch/ungultig/nicht korrekt/stimmt nicht/nicht gultig/inkorrekt/unbekannt), (falsch/ungultig)*~(passwort/kennwort/benutzername/anmeldedaten/zugangsdaten/code)',
  'anmeldung (ist)? ?fehlgeschlagen, fehlgeschlagen, nicht korrekt, (mot de passe/identifiant*/code/utilisateur/adresse)~(incorrect*/invalide*/errone*/inconnu*/n existe pas), echec (de la connexion/d authentification/de connexion), (mauvais/errone)~(mot de passe/identifiant*)',
  '(contrasen*/credencial*/usuario/codigo/correo/clave)~(incorrect*/no (es/son)? ?valid*/invalid*/errone*/no existe/no coincid*), (senha/credencia*/usuario/codigo/e mail/login)~(incorret*/invalid*/errad*/nao existe/nao confere*), falha (no login/ao entrar/na autenticacao), error (al iniciar/de inicio)',
  '(password/credenziali/utente/codice/e mail)~(errat*/non corrett*/non valid*/sbagliat*/scorrett*), accesso (negato/non riuscito), (wachtwoord/gebruikersnaam/inloggegevens/code)~(onjuist*/ongeldig*/verkeerd*/klopt niet/niet juist), inloggen (is)? ?mislukt',
  '(haslo/hasla/login/dane/kod)~(nieprawidlow*/bledn*/niepoprawn*), (nieprawidlow*/bledn*/niepoprawn*)~(haslo/hasla/login/dane/kod), logowanie nie powiodlo, (неверн*/неправильн*/ошибочн*/недействит*)~(парол*/логин*/код*/данн*), (парол*/логин*/код)~(неверн*/неправильн*/не подходит/не совпада*), ошибка (входа/авторизации)',
  '(невірн*/неправильн*/хибн*)~(парол*/логін*/код*/дан*), помилка входу, (sifre*/parola*/kullanici adi/kod*/giris bilgileri)~(yanlis/hatali/gecersiz/uyusmuyor), (yanlis/hatali/gecersiz)~(sifre/parola/kod), giris basarisiz, giris yapilamadi',
  '(heslo/jmeno/kod/udaje)~(nespravn*/neplatn*/chybn*), (nespravn*/neplatn*/chybn*)~(heslo/jmeno/kod/udaje), prihlaseni se nezdarilo, (losenord*/anvandarnamn*/kod*)~(fel/felaktig*/ogiltig*), (fel/felaktigt)~(losenord/anvandarnamn/kod), inloggningen misslyckades',
  '(adgangskode*/brugernavn*/kode*/passord*/brukernavn*)~(forkert*/feil/ugyldig*/galt), (forkert*/feil/ugyldig*)~(adgangskode/brugernavn/kode/passord/brukernavn), (salasana*/kayttajatunnus*/koodi*)~(vaar*/virheelli*), (vaar*/virheelli*)~(salasana/kayttajatunnus/koodi), kirjautuminen epaonnistui',
  'パスワードが(違/正しく/間違/一致)*, (正しくありません/間違っています/無効です/違います/一致しません), ログインに失敗*, ログインできません*, 認証に失敗*, 誤りがあります, 有効期限が切れ, (密码/用户名/账号/帐号/验证码/代码)~(错误/不正确/有误/无效), (密碼/使用者/帳號/驗證碼/代碼)~(錯誤/不正確/有誤/無效), (登录/登入)失(败/敗), 不存在, 已过期',
  '(비밀번호/아이디/이메일/코드/인증번호/계정)~(올바르지/틀렸/틀립/일치하지/잘못/유효하지/존재하지), 잘못된 (비밀번호/아이디/코드/인증번호), 로그인에 실패, 로그인 실패, 인증에 실패, (غير صحيحة/غير صحيح/خاطئة/خاطئ/غير صالح/غير صالحة), فشل تسجيل الدخول, (गलत/अमान्य/सही नहीं), लॉग इन विफल, लॉगिन विफल',
)

/** Locked accounts. */
export const saysLocked = wordList(
  '(account/user) (is/has been/was)? ?(temporarily)? ?(locked/disabled/suspended/blocked/deactivated), locked out, too many (failed/incorrect/unsuccessful)? ?(attempts/log ins/tries/requests), (konto/zugang)~(gesperrt/deaktiviert), zu viele (versuche/fehlversuche/anmelde)*',
  'compte~(verrouille/bloque/desactive/suspendu), trop de tentatives, (cuenta/usuario)~(bloquead*/suspendid*/deshabilitad*), demasiados intentos, conta~(bloquead*/suspens*/desativad*), (muitas/demasiadas) tentativas, account~(bloccato/sospeso/disabilitato), troppi tentativi',
  'account~(geblokkeerd/vergrendeld/uitgeschakeld), te veel pogingen, konto~(zablokowane/zawieszone), zbyt wiele prob, (аккаунт*/учетн*/пользовател*)~(заблокирован*/отключен*), слишком много попыток, (обліков*/акаунт)~заблоков*, забагато спроб, (hesab*)~(kilitlendi/askiya/devre disi)',
  'cok fazla deneme, ucet~(zablokovan/uzamcen), prilis mnoho pokusu, konto*~(last/sparrat/sparret/last ut), for manga forsok, for mange forsog, for mange forsok, tili~lukittu, liian monta yritysta, アカウントがロック, ロックされ, 回数が上限, 試行回数, (账户/账号/帐户/帐号/帳戶/帳號)~(锁定/鎖定/禁用/停用), 次数过多, 次數過多',
  '계정이 잠, 잠겼습니다, 시도 횟수, 너무 많이, تم قفل, تم تعليق, محاولات كثيرة, खाता लॉक, बहुत अधिक प्रयास, बहुत सारे प्रयास',
)

/** CAPTCHAs and similar challenges. */
export const saysChallenge = wordList(
  '*captcha*, robot*, robo, are you (a )?human, you are (a )?human, human verification, unusual (traffic/activity), automated (requests/traffic), (humain/humano/umano/menschlich*), robotti, робот*, ロボット, 机器人, 機器人, 로봇, روبوت, रोबोट, 人机验证, 滑动验证',
)

/** Identities that already have an account. */
export const saysTaken = wordList(
  '(account/user/user ?name/e mail (address)?)~already (exists?/in use/registered/taken/been taken), already (exists/registered/taken/in use), (bereits/schon) (vergeben/registriert/vorhanden/verwendet/vergeben), (deja/existe deja)~(utilise/pris/enregistre)*, (ya existe/ya esta (en uso/registrad*)), (ja existe/ja esta em uso/ja cadastrad*/ja esta registad*)',
  'gia (in uso/registrat*/esistente/utilizzat*), al in gebruik, bestaat al, (juz istnieje/jest juz zajet*/juz zarejestrowan*), уже (существует/занят*/зарегистрирован*/используется), вже (існує/зайнят*/зареєстрован*), zaten (var/kayitli/kullaniliyor/mevcut), jiz (existuje/pouziva*), redan (registrerad/finns/upptag*), (allerede/i brug)~(brug/registreret/registrert)*, on jo kaytossa',
  '既に(登録/使用/存在)*, すでに(登録/使用/存在)*, 已被(注册/使用/占用/註冊), 已存在, 已经存在, 已註冊, 이미 (사용/등록/존재/가입)*, مستخدم بالفعل, موجود بالفعل, مسجل بالفعل, पहले से (मौजूद/पंजीकृत/उपयोग)*',
)

/** Rejected new passwords. */
export const saysPasswordRule = wordList(
  'passwords?~(must/should/needs? to/has to/too (short/long/weak/common)/at least/do not match/does not match/don t match/doesn t match/required), (passwort/kennwort)*~(muss/mindestens/zu kurz/zu schwach/stimmen nicht/erforderlich), mots? de passe~(doit/doivent/au moins/trop court/trop faible/ne correspondent/requis/obligatoire)',
  'contrasenas?~(debe*/al menos/demasiado/no coinciden/obligatoria/requerida), senhas?~(deve*/pelo menos/muito curta/nao (coincidem/conferem)/obrigatoria), password~(deve/almeno/troppo/non corrispondono/obbligatoria), wachtwoord(en)?~(moet/minstens/te kort/komen niet overeen/verplicht), hasl(o/a)~(musi/co najmniej/za krotkie/nie sa (takie same/zgodne)/wymagane)',
  'парол*~(должен/не менее/слишком/не совпадают/обязател*), парол*~(повинен/щонайменше/занадто/не збігаються), (sifre/parola)*~(en az/olmali/cok kisa/eslesmiyor/gerekli), hesl(o/a)~(musi/alespon/prilis/neshoduji), losenord*~(maste/minst/for kort/matchar inte), (adgangskode/passord)*~(skal/ma/mindst/minst/for kort), salasana*~(on oltava/vahintaan/liian/eivat tasmaa)',
  'パスワードは~文字, パスワードが一致しません, 文字以上, 密码(必须/至少/太短/不一致/长度)*, 密碼(必須/至少/太短/不一致/長度)*, 비밀번호는~(이상/자), 비밀번호가 일치하지, كلمة المرور~(يجب/قصيرة/غير متطابق)*, पासवर्ड~(कम से कम/होना चाहिए/मेल नहीं)*',
)
