import { wordList } from './word-list.ts'

/** Words of buttons and links; the syntax is that of `wordList`. */

/** Controls that leave a form or help with it, and never hand it in. */
export const saysAside = wordList(
  'show, hide, reveal, toggle*, peek, forgot*, lost, cancel, close, back, dismiss, clear, help, trouble*, need help, cookies?',
  'accept all, reject, language, generate, copy, resend, send again, try another, another way, other way, use a different',
  'anzeigen, einblenden, ausblenden, verbergen, vergessen, abbrechen, schliessen, zuruck, hilfe, erneut senden, alle akzeptieren, ablehnen',
  'afficher, masquer, oublie*, annuler, fermer, retour*, aide, renvoyer, tout accepter, refuser, mostrar, ocultar, olvid*, cancelar',
  'cerrar, volver, atras, ayuda, reenviar, aceptar todas?, rechazar, esquec*, fechar, voltar, ajuda, aceitar todos, rejeitar, mostra',
  'nascondi, dimenticat*, annulla, chiudi, indietro, aiuto, invia di nuovo, accetta tutti, rifiuta, tonen, weergeven, verbergen',
  'vergeten, annuleren, sluiten, terug, hulp, opnieuw verzenden, pokaz, ukryj, nie pamiet*, zapomn*, anuluj, zamknij, wstecz, wroc',
  'pomoc, показать, скрыть, забыл*, отмен*, закрыть, назад, помощь, отправить (снова/повторно), показати, приховати, скасувати',
  'закрити, допомога, goster, gizle, unuttu*, iptal, vazgec, kapat, geri, yardim, yeniden gonder, zobrazit, skryt, zrusit, zavrit, zpet',
  'visa, dolj, glomt*, avbryt, stang, tillbaka, hjalp, vis, skjul, glemt*, annuller, luk, tilbage, lukk, tilbake, hjelp, nayta, piilota',
  'unohd*, peruuta, sulje, takaisin, ohje, 表示, 忘れ, キャンセル, 閉じる, 戻る, ヘルプ, 再送, 显示, 顯示, 隐藏, 隱藏, 忘记, 忘記, 取消, 关闭',
  '關閉, 返回, 帮助, 幫助, 重新发送, 重新傳送, 표시, 보기, 숨기기, 잊으, 찾기, 취소, 닫기, 뒤로, 도움말, 재전송, إظهار, عرض, إخفاء, نسيت',
  'إلغاء, إغلاق, رجوع, مساعدة, إعادة إرسال, दिखाएं, छिपाएं, छुपाएं, भूल, रद्द, बंद, वापस, मदद, सहायता',
)

/** Controls that make an account. */
export const saysSignUp = wordList(
  'sign up, register, registration, create (an/my/your/a free/free)? ?account, join*, enroll?, get started, open an account',
  'registrieren, konto (erstellen/anlegen), s inscrire, inscription, inscrivez*, creer (un/mon/votre)? ?compte, registrarse, registrate',
  'crear (una/mi)? ?cuenta, inscrib*, cadastr*, inscrev*, criar (uma)? ?conta, registrar, registrati, iscriviti, crea (un)? ?account',
  'registreren, aanmelden, account (maken/aanmaken), zarejestruj*, zaloz konto, utworz konto, зарегистр*, регистрация, создать аккаунт',
  'зареєстр*, реєстрація, kaydol*, kayit ol*, uye ol*, hesap olustur, zaregistrovat*, registrace, vytvorit ucet, registrera*, skapa konto',
  'tilmeld*, opret konto, registrer*, opprett konto, rekisteroid*, luo tili, 新規登録, 会員登録, アカウント(を)?作成, 登録, 注册, 註冊',
  '创建帐户, 创建账号, 建立帳戶, 회원가입, 가입, 계정 만들기, 注册账号, إنشاء حساب, تسجيل جديد, اشتراك, التسجيل, साइन अप, पंजीकरण, पंजीकृत, खाता बनाएं',
)

/** Controls and headings of a login. */
export const saysSignIn = wordList(
  'sign in, log in, log on, sign on, signin*, login*, anmelden, einloggen, anmeldung, connexion, se connecter, connectez*, s identifier',
  'iniciar sesion, inicia sesion, inicio de sesion, acceder, ingresar, entrar, iniciar sessao, accedi*, accesso, inloggen, aanmelden',
  'zaloguj*, logowanie, войти, вход*, увійти, вхід, giris*, oturum ac*, prihlasit*, prihlaseni, logga in, log ind, logg inn, logg pa',
  'kirjaudu*, ログイン, サインイン, 登录, 登錄, 登入, 로그인, تسجيل الدخول, دخول, साइन इन, लॉग इन, लॉगिन',
)

/** Controls that sign out. */
export const saysSignOut = wordList(
  'sign out, log out, log off, sign off, abmelden, ausloggen, abmeldung, deconnexion, se deconnecter, deconnecter',
  'cerrar sesion, desconectar*, salir, terminar sessao, encerrar sessao, sair, disconnetti*, esci, uitloggen, afmelden',
  'wyloguj*, выйти, выход, вийти, вихід, cikis*, oturumu kapat*, odhlasit*, odhlaseni, logga ut, log ud, logg ut, logg av',
  'kirjaudu ulos, ログアウト, サインアウト, 退出, 登出, 注销, 註銷, 로그아웃, تسجيل الخروج, خروج, साइन आउट, लॉग आउट, लॉगआउट',
)

/** Menus of somebody who is signed in. */
export const saysAccountMenu = wordList(
  '(account/profile/user/avatar) (menu/settings/options), my (account/profile), your (account/profile), user menu, profile picture, avatar',
  'mein (konto/profil), benutzermen*, kontoeinstellungen, mon (compte/profil), mi (cuenta/perfil), minha conta, meu perfil',
  'il mio (account/profilo), mijn (account/profiel), moje konto, moj profil, мой (профиль/аккаунт), личный кабинет, мій (профіль/акаунт)',
  'hesabim, profilim, muj ucet, mitt konto, min (konto/profil), oma tili, マイページ, アカウント設定, プロフィール, 我的账户, 我的帐户',
  '我的帳戶, 个人中心, 個人資料, 내 계정, 마이페이지, 내 정보, حسابي, ملفي, मेरा खाता, मेरी प्रोफ़ाइल',
)

/** Pages and panels that create a user for somebody else. */
export const saysNewUser = wordList(
  '(add/new/create/invite) (a/an)? ?(new)? ?(user/member/employee/account/operator/admin/administrator), user management, users',
  '(benutzer/nutzer) (hinzufugen/anlegen/erstellen), neuer benutzer, benutzerverwaltung, (ajouter/creer) un utilisateur',
  'nouvel utilisateur, (agregar/anadir/crear/nuevo) usuario, (adicionar/criar/novo) usuario, (aggiungi/crea/nuovo) utente',
  'gebruiker toevoegen, nieuwe gebruiker, dodaj uzytkownika, nowy uzytkownik, (добавить/создать/новый) пользовател*',
  '(додати/створити/новий) користувач*, kullanici ekle, yeni kullanici, pridat uzivatele, novy uzivatel, lagg till anvandare',
  'ny anvandare, ny bruger, ny bruker, lisaa kayttaja, ユーザーを?追加, 新規ユーザー, 添加用户, 新建用户, 新增使用者, 新增用户, 사용자 추가',
  '새 사용자, إضافة مستخدم, مستخدم جديد, उपयोगकर्ता जोड़ें, नया उपयोगकर्ता',
)

/** Fields that say what a user may do: only forms about somebody else have them. */
export const saysRole = wordList(
  'roles?, groups?, permissions?, privileges?, access level, user type, is (admin/staff/active), rolle*, gruppe*, berechtigung*',
  'groupes?, rol, grupos?, permisos?, funcao, papel, permissoes, ruol(o/i), grupp(o/i), rechten, groepen?, rola, grupa, uprawnienia',
  'роль, роли, групп*, права, yetki, grup*, skupina, roll, behorighet*, rooli, ロール, 役割, 権限, 角色, 用户组, 权限, 權限, 역할, 권한',
  'الدور, صلاحيات, भूमिका, समूह',
)

/** Fields for the address of another server. */
export const saysServer = wordList(
  'server*, host*, end ?point, base url, url, port, smtp*, imap*, ldap*, bind dn, proxy*, database*, db (host/name/user/port), dsn, jdbc*',
  'serveur, hote, servidor, puerto, porta, poort, serwer, сервер*, хост, порт, sunucu*, サーバー?, ホスト, 服务器, 伺服器, 主机, 端口, 서버, 호스트',
  'الخادم, सर्वर',
)

/** Controls that save or test settings. */
export const saysSave = wordList(
  'save*, apply, update, test*, connect, verify connection, submit changes, speichern, ubernehmen, testen, enregistrer, appliquer, tester',
  'guardar, aplicar, probar, salvar, testar, salva, applica, prova, opslaan, toepassen, zapisz, zastosuj, сохранить, применить',
  'зберегти, kaydet, uygula, ulozit, spara, gem, lagre, tallenna, 保存, 適用, 儲存, 应用, 测试, 저장, 적용, حفظ, सहेजें, सेव',
)

/** Pages that set up a new installation or its first administrator. */
export const saysSetUp = wordList(
  'set up, setup*, install*, installation, wizard, first run, getting started, initial (admin*/configuration), (create/new) (the)? ?(first)? ?admin*',
  'einrichtung, einrichten, configuration initiale, instalacion, instalacao, installazione, configurazione iniziale, installatie',
  'instalacja, konfiguracja, установка, мастер, встановлення, kurulum, instalace, asennus, セットアップ, 初期設定, 安装, 安裝, 설치, 초기 설정',
  'الإعداد, التثبيت, सेटअप',
)
