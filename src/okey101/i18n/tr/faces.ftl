# Yüzler: oyuncuların seçtikleri ve botların huyları.

face-legend = Masadaki yüzünüz
face-8 = Uzun kızıl saçlı
face-9 = Uzun kahverengi saçlı, bıyıklı
face-10 = Saçı dökülmüş
face-11 = Kırmızı başörtülü
face-12 = Sakallı, gözlüklü
face-13 = Kır saçlı, topuzlu, gözlüklü
face-14 = Kasketli, bıyıklı
face-15 = Kahverengi saçlı, gözlüklü
face-16 = Kahverengi topuzlu
face-17 = Siyah saçlı, bıyıklı
face-18 = Sarı kıvırcık saçlı, gözlüklü
face-19 = Mor başörtülü
face-20 = Saçı dökülmüş, sakallı, gözlüklü
face-21 = Kumral
face-22 = Kızıl topuzlu, gözlüklü
face-23 = Kısa kahverengi saçlı

# Botların arada bir söyledikleri, huylarına göre.

# Hasan: sabırlı, rahat.
says-0-1 = Acelemiz yok, çay yeni demlendi.
says-0-2 = Taş gelir, sen yeter ki bekle.
says-0-3 = Bu elde de ders var, öğrenene.
says-0-4 = Taşlar yürüyor, ben bakıyorum.
says-0-5 = Otuz yıldır oynarım, taş gelmez.

# Emre: hesapçı.
says-1-1 = Hesapladım: ya olur ya olmaz.
says-1-2 = İhtimal benden yana, taş değil.
says-1-3 = Bunu bilerek yaptım, not alın.
says-1-4 = Kâğıt üstünde kazanıyorum.
says-1-5 = Formül doğru, sonuç inatçı.

# Kemal: eskileri anlatan.
says-2-1 = Bizim zamanda taş daha ağırdı.
says-2-2 = Bunu Nazilli’de bir kez gördüm.
says-2-3 = Acele açan, geç kapar derlerdi.
says-2-4 = Bu taşı torunuma anlatırım.
says-2-5 = Böyle ele türkü yakarlardı.

# Fatma: evi çekip çeviren.
says-3-1 = Ocakta yemek var, uzatmayalım.
says-3-2 = Dolma sarmak bundan zordur.
says-3-3 = Taşları yine ben toplarım, belli.
says-3-4 = Komşular duymasın, iyi gidiyorum.
says-3-5 = Bir elim ıstakada, bir elim çayda.

# Murat: şoför.
says-4-1 = Trafikte de böyle sakinimdir.
says-4-2 = Kestirmeden gittik, trafik var.
says-4-3 = Bu taş bana ters yönden geldi.
says-4-4 = Varınca ararım.
says-4-5 = Yol uzun, taş az.

# Derya: lafı uzatmadan duramayan.
says-5-1 = Bir şey demeyeceğim, dedim bile.
says-5-2 = Bu eli anlatsam akşam olur.
says-5-3 = Sabrımı övüp elime bunu verdiler.
says-5-4 = Güzel oynadım, kimse bakmıyordu.
says-5-5 = Bu gerçekten son, bir daha olmaz.

# Selim: sessiz.
says-6-1 = Ben susayım, taşlar konuşsun.
says-6-2 = Kusura bakmayın, planım buydu.
says-6-3 = Şansa inanmam, uğrarsa kovmam.
says-6-4 = Sakinim. Istaka titriyor.
says-6-5 = İçimden güldüm, duyulmasın.

# Aslı: öğretmen.
says-7-1 = Sınav olsa buradan kalırdım.
says-7-2 = Bunu gören öğretmenlik yapmaz.
says-7-3 = Kenara yazdım: bugün de olmadı.
says-7-4 = Zil çalana kadar vaktimiz var.
says-7-5 = Soru kolaydı, şıklar zor.
