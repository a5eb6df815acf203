# Yüzler: oyuncuların seçtikleri.

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
