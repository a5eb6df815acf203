# The account, on a screen of its own.

page-signed-in = Hesabınız: { $name }
page-is-guest = { $name } adıyla misafirsiniz. Parola koyarsanız maçlarınız hesabınızda kalır.
page-is-nobody = Hesap açmadan da oynayabilirsiniz. Önce bir ad seçin; sonra parola koyarsanız bu ad sizin hesabınız olur.
page-begin-guest = Bu adla devam et
page-have-account = Hesabım var
page-password = Parola (en az 8 karakter)
page-password-old = Şimdiki parola
page-password-new = Yeni parola (en az 8 karakter)
page-password-change = Parolayı değiştir
page-password-changed = Parolanız değişti; diğer bütün oturumlarınız kapandı.
page-upgrade = Hesap oluştur
page-login = Giriş yap
page-logout = Çıkış yap
page-sessions = Açık oturumlar
page-agent-unknown = Bilinmeyen cihaz
page-session-line = { $agent }, son görülme: { $when }
page-this-one = bu cihaz
page-end = Kapat
page-export = Verilerimi indir
page-delete-me = Hesabımı sil
page-delete-sure = Adınız ve oturumlarınız silinir; maçlarınız adsız kalır. Hesabı silmek istiyor musunuz?

# Arkadaşlar, kendi ekranında.

friends-nobody = Arkadaşlarınızın sizi yeniden bulması için bir adınız olmalı. Bir ad seçin ya da hesabınıza girin.
friends-asks = Arkadaşınız olmak isteyenler
friends-friends = Arkadaşlarınız
friends-asked = İstek gönderdikleriniz
friends-met = Birlikte oynadıklarınız
friends-none = Henüz kimse yok. Adıyla ekleyin ya da masada tanıştığınız birine istek gönderin.
friends-here = burada
friends-agree = Kabul et
friends-refuse = Reddet
friends-part = Çıkar
friends-withdraw = Geri al
friends-blocked = Engelledikleriniz
friends-block = Engelle
friends-unblock = Engeli kaldır
friends-block-about = Engellediğiniz kişi masalarınızı ve meydan okumalarınızı görmez, hızlı masada karşınıza çıkmaz ve bundan haberi olmaz. Başka masalarda da söylediklerini duymazsınız.
friends-block-seat = { $name } adlı kişiyi engelle
friends-block-sure = { $name } engellensin mi? Bundan sonra sizi ve masalarınızı bulamaz, siz de ondan bir şey duymazsınız; ona söylenmez. Bu maç sürer. Engeli Arkadaşlar sayfasında kaldırabilirsiniz.
friends-ask = İstek gönder
friends-show = Burada olduğumu arkadaşlarım görsün
friends-name = Hesap adıyla istek gönderin
friends-added = { $name } adlı hesaba istek gönderildi.

# Sunucu yöneticisine bildirilenler.

page-report = Bildir: { $name }
page-report-name = Uygunsuz ad
page-report-phrases = Rahatsız edici mesajlar
page-report-stalling = Bilerek bekletiyor
page-report-together = Başkasıyla anlaşmalı oynuyor
page-report-other = Başka bir neden
page-reported = Sunucu yöneticisine bildirildi.

# Profil, kendi ekranında.

profile-mine = Profilim
profile-account = Profil hesap sahiplerinindir: parola koyarsanız şimdiye kadarki maçlarınız da sayılır.
profile-played = { $matches } maç, { $deals } el
profile-none = Henüz biten maç yok.
profile-public = Profilimi başkaları görsün
profile-public-how = O zaman sessize aldıklarınız ve engelledikleriniz dışında herkes bu sayıları adınızla bulur. Ancak kendi oynadıkları ya da sizin yalnız botlarla oynadığınız ellere bakabilirler. Haftanın en şanssızları arasında da görünürsünüz.
profile-beside = Başkalarının yanında
profile-beside-won = kazanılan maç
profile-beside-opened = açılan el
profile-beside-finished = bitirilen el
profile-beside-fines = az ceza
profile-beside-skill = kendi oyunu
profile-beside-luck = şans
profile-ahead = Geride kalan
profile-percent = %{ $percent }
profile-people = Kaç kişide
profile-week = Haftanın en şanssızı
profile-week-how = Bu hafta oynanıp incelenen maçlarda dağıtım ve çekiş şansının kaç puana mal olduğu; artı, şanssızlıktır. Profili açık olanlar görünür.
profile-luck = Şans
profile-place = Dereceler
profile-place-of = { $of }.
profile-finish = Bitişler
profile-finish-of = { $of ->
    [plain] düz
    [okey] okeyle
    [pairs] çiftten
    [whole-hand] elden
   *[riziko] riziko
}
profile-opening = El açmalar
profile-opening-of = { $of ->
    [melds] seriden
    [pairs] çiftten
   *[none] açamadı
}
profile-turn = Kaçıncı turda açıldı
profile-turn-of = { $of }.
profile-fine = Cezalar
profile-best = En iyi el açma
profile-best-of = { $of ->
    [pairs] çift
   *[melds] puan
}
profile-what = Ne
profile-count = Kaç kez
profile-latest = { profile-deal-of }, en yenisi önce
profile-deal-of = Eller
profile-deal = { $when }, { $deal }. el
profile-ledger = Şans defteri
profile-ledger-how = İncelenen { $deals } elin puanları nereden geldi? Eksi iyidir.
profile-ledger-none = Bu maçların hiçbiri incelenmedi. İnceleme, şansla oyunu ayırır.
profile-luckiest = En şanslı el: { $points }
profile-unluckiest = En şanssız el: { $points }
profile-strength = Gücüm, şans hariç
profile-strength-how = { $rules } kurallarıyla { $deals } elde, el başına kendi oyunu, puan olarak: 0, { $reference } gibi oynamaktır, eksi daha iyidir. Bant, %95 aralığıdır.
profile-strength-few = Güç için gereken { $least } incelenmiş elin { $deals } tanesi var.
profile-weighed = Şans hariç gücüm hesaplansın
profile-waiting = Henüz incelenmemiş elleriniz: { $deals }.
profile-weighing = { $how ->
    [shared] Sunucu bunları en yeniden başlayarak sırayla inceler. İncelemesini istediğiniz maç öne geçer.
   *[asked] Bir maçın incelenmesini maçlarınızın listesinden istersiniz.
}
profile-strength-table = Tablo olarak
profile-after = El
profile-all = Toplam
profile-points = El başına puan
profile-band = Aralık

# Sizi bekleyenler, başlangıç sayfasında; bekleme odasında arkadaşlar.

waits-friend = { $name } sizi masaya davet ediyor
waits-family = { $name } sizi bekliyor
waits-come = Masaya otur
invite-friends = Arkadaşlarınızı davet edin
invite-friend = Davet et
invite-done = Davet edildi

# Aile masası, kendi ekranında.

family-mine = Aile masalarınız
family-none = Henüz yok. Yenisini kurun ya da size gönderilen bağlantıyı açın.
family-new = Yeni aile masası
family-about = Hiç değişmeyen bir bağlantı: kimdeyse gelip oturur, boş yerlerde botlar oynar, haftanın ve yılın sonuçları toplanır. Siz değiştirmedikçe bağlantı aynı kalır.
family-account = Aile masası bir hesabındır. Hesap oluşturun ya da hesabınıza girin.
family-name = Adı ne olsun?
family-make = Aile masası kur
family-open = Aç
family-sit = Masaya otur
family-sits = Şu an masada: { $names }
family-empty = Şu an masada kimse yok.
family-link = Ailenin bağlantısı
family-regulars = Müdavimler
family-week = Bu hafta
family-year = Bu yıl
family-no-matches = Henüz maç yok.
family-who = Ad
family-won = Birincilik
family-matches = Maç
family-points = Puan
family-rules = Ad ve kurallar
family-rules-about = Yeni kurallar bir sonraki masadan itibaren geçerlidir.
family-bot = Boş yerlerdeki botlar
family-save = Kaydet
family-saved = Kaydedildi.
family-fresh = Bağlantıyı değiştir
family-fresh-sure = Eski bağlantı artık bir şey açmaz. Müdavimler kalır. Değiştirmek istiyor musunuz?
family-leave = Ayrıl
family-remove = Çıkar
family-end = Aile masasını kapat
family-end-sure = Bağlantı ve toplamlar silinir; maçlar herkeste kalır. Kapatmak istiyor musunuz?

# Birinin beklediği bildirimle haber verilir.

push-title = Biri beklediğinde
push-tell = Bu masada biri beklerken bu cihazda bana haber ver
push-about = Sayfa kapalıyken de haber verilir, saatte en çok bir kez. Yalnız kimin beklediği yazar. Haberi tarayıcınızın yurt dışındaki bildirim hizmeti iletir, içini okuyamaz.
push-quiet-from = Sessiz saatlerin başı
push-quiet-to = Sessiz saatlerin sonu
push-off = Bu sunucu bildirim göndermiyor.
push-ios = iPhone ya da iPad kullanıyorsanız önce sayfayı ana ekrana ekleyin: Paylaş, sonra Ana Ekrana Ekle. Oradan açıp buraya dönün.
push-none = Bu tarayıcıda olmuyor. Bildirim alabilen bir tarayıcı ve https ile başlayan bir adres gerekir.
push-denied = Bu sayfanın bildirimleri engellenmiş. Tarayıcınızın ayarlarından izin verin.
push-failed = Tarayıcınız bildirim hizmetine ulaşamadı. Biraz sonra yeniden deneyin.
