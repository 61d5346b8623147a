"""The terms of conditions (docs/write-rules), one by one: the hands on which each holds and those on which it does
not, stated by hand.

Hands of three cards are for `first-three`. All others are used as hands of seat and dealer in turn.
"""

# A term, hands on which it holds, and hands on which it does not.
TERMS = """
five_aces
+ Ac Ad Ah As Jk 2c 3d / Ac Ad Ah As Jk Kc Kd / Ac Ad Ah As Jk 7h
- Ac Ad Ah As 2c 3d 4h / Ac Ad Ah Jk 2c 3d 4h / Ac Ad Ah Jk Kc Kd / Kc Kd Kh Ks Jk Ac 2d
five_of_a_kind
+ Ac Ad Ah As Jk 2c 3d / Ac Ad Ah As Jk 7h
- Kc Kd Kh Ks Jk Ac 2d / Ac Ad Ah As 2c 3d 4h / Ac Ad Ah Jk Kc Kd
royal_flush
+ Ts Js Qs Ks As 2c 3d / Ts Js Qs Ks Jk 2c 3d / Ts Js Jk Ks As 2c / 9s Ts Js Qs Ks As Jk
- 9s Ts Js Qs Ks 2c 3d / Ts Js Qs Ks Ah 2c 3d / As 2s 3s 4s 5s Kd Qd / 9s Ts Js Qs Jk 2c
straight_flush
+ 5h 6h 7h 8h 9h Kc Kd / Ts Js Qs Ks As 2c 3d / Ac 2c 3c 4c 5c 9d / Ac 2c 3c Jk 5c 9d Jh / 2c 3c 4c 5c Jk 9d Jh
+ 5h 6h 7h / Ac 2c 3c / Qd Kd Ad / 5h 7h Jk / Ac Kc Jk
- 5h 6h 7h 8h 9d Kh 2h / Kh Ah 2h 3h 4h 9c 9d / Kh Ah 2h 3h Jk 9c 9d / 5h 6h 9h Th Jk Kc / 9c Td Jh Qs Kc 2c 3c
- 5h 6h 7d / Kh Ah 2h / 5h 8h Jk / Kh 2h Jk / 5h 5d Jk
four_of_a_kind
+ 9c 9d 9h 9s 2c 3d 4h / Ac Ad Ah Jk 2c 3d 4h / Ac Ad Ah As Jk 2c 3d / 9c 9d 9h 9s Jk Ac
- 9c 9d 9h Jk 2c 3d 4h / Ac Ad Jk Kc Kd Kh 2s / 9c 9d 9h 8c 8d 8h
full_house
+ 9c 9d 9h 2c 2d 3h 4s / 9c 9d 9h 9s 2c 2d 3h / Ac Ad Jk Kc Kd 3h / Ac Jk Kc Kd Kh 3h 4s / 9c 9d 9h 2c 2d 2h 5s
+ Ac Ad Ah As Jk Kc Kd
- 9c 9d 9h 9s 2c 3d 4h / 9c 9d 2c 2d Jk 3h 4s / Ac Ad Ah As Jk 3h / 9c 9d 9h Jk 2c 3d 4h
flush
+ 2c 5c 9c Jc Kc 3d 4h / 2c 5c 9c Jc Jk 3d / 5h 6h 7h 8h 9h Kc Kd / Ts Js Qs Ks Jk 2c 3d / 2c 9c Kc / 2c 9c Jk
+ 5h 6h 7h / Ac Kc Jk
- 2c 5c 9c Jc Kd 3d 4h / 2c 5c 9c Jk 3d 4h 7d / 2c 5c 9c Jc 3d 4d / 2c 9c Kd / 2c 9d Jk
straight
+ Ac 2d 3h 4s 5c 9d 9h / Tc Jd Qh Ks Ac 2d / 9c Td Jk Qs Kc 2d 2h / 2c 3d 4h 5s Jk 9d 9h / Ac 3h 4s 5c Jk 9d 9h
+ 5h 6h 7h 8h 9h Kc Kd / Ac 2d 3h / Qc Kd Ah / Ac Kd Jk / 5c 7d Jk / 5h 6h 7h / 5h 6h Jk
- Jc Qd Kh As 2c 3d 4h / Ac Jk 3h 5s 8c 9d 9h / 2c 3d 4h 5s 7c 8d / Kc Ad 2h / Kc 2d Jk / 5c 8d Jk / 5c 5d Jk
three_of_a_kind
+ 9c 9d 9h 2c 4d 6h Js / Ac Ad Jk 2c 4d 6h 8s / 9c 9d 9h 9s 2c 4d / 9c 9d 9h 2c 2d 4h 6s / Ac Ad Ah As Jk Kc Kd
+ 9c 9d 9h 2c 2d 2h / 7c 7d 7h / Ac Ad Jk
- 9c 9d Jk 2c 4d 6h Js / 9c 9d 2c 2d 4h 4s Js / Ac Jk 2c 4d 6h 8s / Kc Kd Jk / Ac Kd Jk
two_pair
+ 9c 9d 2c 2d 4h 6s Js / 9c 9d 2c 2d 4h 4s Js / Ac Jk 2c 2d 4h 6s / 9c 9d 9h 2c 2d 4h 6s / 9c 9d 9h 9s 2c 2d 4h
+ 9c 9d 9h 2c 2d 2h
- 9c 9d Jk 2c 4d 6h Js / 9c 9d 9h 9s 2c 4d 6h / Ac Ad Jk 2c 4d 6h 8s / Ac Ad Ah As Jk 3h
pair
+ 9c 9d 2c 4d 6h Js Kc / Ac Jk 2c 4d 6h 8s Tc / Ac Jk 2c 3c 4c 5c 6c / 9c 9d 9h 2c 4d 6h / 7c 7d 7h / Ac Jk 9d
- 2c 4d 6h 8s Tc Qd Kh / Jk Kd 2c 4d 6h 8s Tc / 2c 3d 4h 5s 6c 8d / Kc Jk 9d / Ac Kd 9h
natural_royal_flush
+ Ts Js Qs Ks As 2c 3d / Ts Js Qs Ks As Jk / 9s Ts Js Qs Ks As Jk / Th Jh Qh Kh Ah Ts Js
- Ts Js Qs Ks Jk 2c 3d / 9s Ts Js Qs Ks Jk 3d / As 2s 3s 4s 5s Kd Qd / Ts Js Qs Ks Ah Jk
natural_straight_flush
+ 5h 6h 7h 8h 9h Jk Kd / Ac 2c 3c 4c 5c 9d Jh / Ts Js Qs Ks As Jk / 5h 6h 7h / Ac 2c 3c / Qd Kd Ad
- 5h 6h 7h 8h Jk Kc Kd / 2c 3c 4c 5c Jk 9d / 5h 6h 7h 8h 9d Th Jk / 5h 6h Jk / Kc Ac 2c
natural_four_of_a_kind
+ 9c 9d 9h 9s Jk 2c 3d / Ac Ad Ah As Jk 2c / 2c 2d 2h 2s 3c 4d 5h
- Ac Ad Ah Jk 2c 3d 4h / 9c 9d 9h Jk 2c 3d / Ac Ad Jk Kc Kd Kh 2s
natural_full_house
+ 9c 9d 9h 2c 2d Jk / Ac Ad Kc Kd Kh Jk / 9c 9d 9h 9s 2c 2d 3h / 9c 9d 9h 2c 2d 2h
- Ac Ad Jk Kc Kd 3h 4s / Ac Jk Kc Kd Kh 3h 4s / 9c 9d 9h Jk Ac 2d
natural_flush
+ 2c 5c 9c Jc Kc Jk 4h / 5h 6h 7h 8h 9h Kc / 2c 5c 9c Jc Kc Jk / 2c 9c Kc
- 2c 5c 9c Jc Jk 3d / 2c 5c 9c Jc Jk 3d 4h / 2c 9c Jk / 2c 9c Kd
natural_straight
+ Ac 2d 3h 4s 5c Jk 9h / Tc Jd Qh Ks Ac 2d / 5h 6h 7h 8h 9h Jk / Qc Kd Ah / Ac 2d 3h / 5h 6h 7h
- 9c Td Jk Qs Kc 2d 2h / 2c 3d 4h 5s Jk 9d / Jc Qd Kh As 2c 3d 4h / Ac Kd Jk / Kc Ad 2h
natural_three_of_a_kind
+ 9c 9d 9h Jk 4d 6h Js / Ac Ad Ah Jk 2c 4d / 9c 9d 9h 9s Jk 4d / 9c 9d 9h 2c 2d Jk / 7c 7d 7h / Ac Ad Ah
- Ac Ad Jk 2c 4d 6h 8s / Kc Kd Jk 2c 4d 6h / Ac Ad Jk / Kc Kd Qh
natural_two_pair
+ 9c 9d 2c 2d Jk 6s Js / Ac Ad 2c 2d Jk 6s / 9c 9d 9h 2c 2d 4h 6s / 9c 9d 9h 2c 2d Jk
- Ac Jk 2c 2d 4h 6s 8s / Ac Jk Kc Kd 4h 6s / 9c 9d 9h 9s 2c 4d 6h
natural_pair
+ 9c 9d Jk 4d 6h Js Kc / Ac Ad Jk 2c 4d 6h / 9c 9d 9h 9s 4d Jk / 7c 7d Jk / 7c 7d 7h
- Ac Jk 2c 4d 6h 8s Tc / Ac Jk 2c 3c 4c 5c / Ac Jk 9d / Kc Qd 2h
pai_gow
+ 2h 3h 4d 5d 7h 8h 9d / Jk 2s 4h 6d 8c Ts Qh / 2c 4d 6h 8s Tc Qd / Jk 3h 4h 5h 9d Td Kd / 2c 5d 9h / Kc Jk 9d
- 2c 4d 6h 8s Tc Qd Qh / Jk Ah 4h 6d 8c Ts Qh / 2c 3d 4h 5s 6c 9d Jh / 2c 5c 9c Jc Kc 3d 8h / Jk 3d 4h 5s 6c 9d
- 2c 9c Kc / 5c 7d Jk / 7c 7d 2h / Ac 2d 3h
joker
+ Jk 2s 4h 6d 8c Ts Qh / Ac Ad Ah As Jk 7h / 5c 7d Jk
- Js 2s 4h 6d 8c Ts Qh / Ac Ad Ah As 2c 7h / 5c 7d Jd
highest:A
+ Jk Kd 2c 4d 6h 8s Tc / Ac Kd 2c 4d 6h 8s / Ac 2d 3h 4s 5c 8d 9h / Jk 2c 3d
- Kc Qd 2c 4d 6h 8s Tc / Kc Kd Kh Ks 2c 3d / Kc Kd Kh
highest:K
+ Kc Qd 2c 4d 6h 8s Tc / Kc Kd 2c 4d 6h 8s / 2c Kd 9h
- Kc Jk 2c 4d 6h 8s Tc / Ac Kd 2c 4d 6h 8s / Qc Jd 9h 7s 5c 3d 2h
highest:8
+ 2c 3d 4h 5s 6c 7d 8h / 2c 2d 3h 3s 8c 8d / 8c 2d 3h
- 2c 3d 4h 5s 6c 7d 7h / 2c 3d 4h 5s 8c 9d / 8c Jk 3h
highest:2
+ 2c 2d 2h / 2c 2d 2s / 2d 2h 2s
- 2c 2d 3h / 2c 2d Jk / 2c 2d 2h 2s 3c 3d / 2c 3d 4h 5s 6c 8d 9h
pair:2
+ 2c 2d 4h 6s 8c Td Qh / Ac Jk 4h 6s 8c Td / 2c 2d Kh
- 2c 3d 5h 7s 9c Jd Kh / Kc Jk 9h 7s 5c 3d / 2c Jk Kh
pair:J
+ Jc Jd 2h 4s 6c 8d Th / Ac Jk 2h 4s 6c 8d / 2c 2d Kh Ks 6c 8d Th / Qc Qd Qh Qs 2c 3d / Qc Qd 2h
- Tc Td 2h 4s 6c 8d Jh / Kc Jk 2h 4s 6c 8d / Tc Td 9h 9s Jc Kd Ah / 9c 9d 9h / Ac Kd 2h
pair:A
+ Ac Ad 2h 4s 6c 8d Th / Ac Jk 2h 4s 6c 8d / Ac Ad Ah As Jk Kc Kd / Ac Jk 2h
- Kc Kd Ah 4s 6c 8d Th / Kc Kd Jk 4s 6c 8d / Kc Kd Ah
pairs:0
+ 2c 4d 6h 8s Tc Qd Kh / Jk Kd 2c 4d 6h 8s / 2c 3d 4h
- 2c 2d 4h 6s 8c Td Qh / Ac Jk 2c 4d 6h 8s / 7c 7d 7h
pairs:1
+ 9c 9d 2c 4d 6h Js Kc / 9c 9d 9h 9s 2c 4d / Ac Jk 2c 4d 6h 8s Tc / 7c 7d 7h / Ac Ad Jk
- 9c 9d 2c 2d 4h 6s Js / 2c 4d 6h 8s Tc Qd / Kc Kd Ac Jk 4h 6s 8d
pairs:2
+ 9c 9d 2c 2d 4h 6s Js / 9c 9d 9h 2c 2d 4h / Kc Kd Ac Jk 4h 6s 8d / 9c 9d 9h 9s 2c 2d 2h
- 9c 9d 2c 2d 4h 4s Js / 9c 9d 2c 4d 6h Js / 9c 9d 2h
pairs:3
+ 9c 9d 2c 2d 4h 4s Js / Ac Jk 2c 2d 4h 4s / 9c 9d 9h 2c 2d 4h 4s / Kc Kd 7c 7d 3h 3s Jk
- 9c 9d 2c 2d 4h 6s Js / 9c 9d 9h 2c 2d 2h Js / Kc Kd Qh Qs Jk 4h 6s / 9c 9d 2h
suited:2
+ 2c 3c 4d 5h 6s 7d 8h / Jk 2c 3d 4h 5s 7c / 2c 3d Jk / 2c 9c Kd
- 2c 3d 4h / 2c 2d 2h / Ac Kd Qh
suited:3
+ 2c 3c 4c 5h 6s 7d / 2c 3c Jk 5h 6s 7d 8h / 2c 9c Jk / 2c 9c Kc
- 2c 3c 4d 5d 6h 7h / 2c 3c 4d 5d 6h 7s / 2c 9d Jk / 2c 9c Kd
suited:4
+ 2c 5c 9c Kc 3d 4h 8s / 2c 5c 9c Jk 3d 4h / 2c 5c 9c Kc Ac Jk
- 2c 5c 9c 3d 4h 8s Kd / 2c 5c Jk 3d 4h 8s / 2c 3c 4c 5d 6d 7d
suited:6
+ 2c 5c 9c Jc Kc Ac 3d / 2c 5c 9c Jc Kc Jk / 2c 5c 9c Jc Kc Qc
- 2c 5c 9c Jc Kc 3d 4h / 2c 5c 9c Jc Jk 3d 4h / 2c 5c 9c Jc Kc 3d
suited:7
+ 2c 4c 6c 8c Tc Qc Kc / 2c 4c 6c 8c Tc Qc Jk / As 2s 3s 4s 5s 6s 7s
- 2c 4c 6c 8c Tc Qc Kd / 2c 4c 6c 8c Tc Jk Kd / 2d 4c 6c 8c Tc Qc Kc
run:2
+ 2c 3d 9h / Kc Ad 9h / Ac 2d 9h / 9c 2d Jk
- 2c 4d 6h / 2c 2d 2h / 2c Qd 7h / Kc 2d 7h
run:3
+ Ac 2d 3h 9s Jc Kd / Qc Kd Ah 2s 5c 7d 9h / 5c 7d Jk / Ac Kd Jk
- 2c 3d 5h 6s 8c 9d / Kc Ad 2h / 2c 5d Jk / 2c 2d Jk
run:4
+ Jc Qd Kh As 2c 4d 6h / Ac 2d 3h 4s 8c Td / 5c 6d 8h Jk Kc Kd
- Qc Kd Ah 2s 3c 5d 7h / 5c 6d 9h Jk Kc Kd / Kc Ad Jk 2h 5s 8c Td
run:6
+ 5c 6d 7h 8s 9c Td Kh / 9c Td Jh Qs Kc Ad / Ac 2d 3h 4s 5c Jk / Ac 2d Jk 4s 5c 6d 9h
- 5c 6d 7h 8s 9c Kd Kh / Tc Jd Qh Ks Ac 2d 3h / 5c 6d 7h 8s Jk Kd
run:7
+ As 2d 3h 4s 5c 6d 7h / 8s 9d Th Js Qc Kd Ah / 5c 6d 7h Jk 9c Td Jh
- 9s Td Jh Qs Kc Ad 2h / 5c 6d 7h 8s 9c Td Qh / 5c 6d 7h 8s Jk Td Qh
suited_run:2
+ 2c 3c 9h / Kc Ac 9h / Ac 2c 9d / 9c 2d Jk
- 2c 3d 9h / 2c 4c 6c / Kc 2c 7c
suited_run:3
+ Ac 2c 3c 9s Jd Kd / Qh Kh Ah 2s 5c 7d 9h / 5c 7c Jk / Qd Kd Ad
- 5c 6c 7d 8d 9h Th / Kc Ac 2c / 5c 7d Jk / 5c 8c Jk
suited_run:4
+ Jc Qc Kc Ac 2d 4d 6h / 5c 6c 8c Jk Kd Kh / Ac 2c 3c 4c 8d Td
- Jc Qc Kc Ad 2d 4d 6h / 5c 6c 9c Jk Kd Kh / Qc Kc Ac 2c 5d 7d 9h
suited_run:6
+ 5c 6c 7c 8c 9c Tc Kh / 9c Tc Jc Qc Kc Ac / Ac 2c 3c 4c 5c Jk
- 5c 6c 7c 8c 9c Td Kh / Tc Jc Qc Kc Ac 2c 3d / 5c 6c 7c 8c Jk Jc Qc
suited_run:7
+ As 2s 3s 4s 5s 6s 7s / 8s 9s Ts Js Qs Ks As / 5c 6c 7c Jk 9c Tc Jc / As 2s 3s 4s 5s 6s Jk / 9s Ts Js Qs Ks As Jk
- 9s Ts Js Qs Ks As 2s / 5c 6c 7c 8c 9c Tc Jd / 5c 6c 7c 8c 9c Jk Jd / 5c 6c 7c 8c 9c Tc Qc
ranks:A
+ Ac 2d 4h 6s 8c Td Qh / Jk 2d 4h 6s 8c Td / Ac Ad 2h
- Kc 2d 4h 6s 8c Td Qh / Kc Kd Qh Qs 8c Td / 2c 3d 4h
ranks:77
+ 7c 7d 2h 4s 6c 8d Th / 7c 7d 7h 2s 4c 6d / 7c 7d 2h
- 7c 2d 4h 6s 8c Td Qh / 7c Jk 2h 4s 6c 8d / 7c 8d Jk
ranks:AAA
+ Ac Ad Ah 2c 4d 6h 8s / Ac Ad Ah As Jk 2c / Ac Ad Jk
- Ac Jk 2c 4d 6h 8s / Kc Kd Kh Jk 2c 4d 6h / Ac Ad 2h
ranks:AKQ
+ 2c 4d 6h 8s Qc Kd Ah / Jk Kd Qh 2c 4d 6h / Ac Kd Qh / Jk Kd Qh
- Ac Kd Jh Ts 9c 8d Jk / Kc Qd Jh 2s 4c 6d / Ac Kd Jk / Kc Qd Jh
ranks:AA2345
+ Ac Ad 2h 3s 4c 5d 9h / Ac Jk 2h 3s 4c 5d / 5c 4d 3h 2s Ac As Kd
- Ac 2d 3h 4s 5c 9d Kh / Jk 2h 3s 4c 5d 9c / Ac Ad 2h 3s 4c 6d Jk
ranks:2345678
+ 2c 3d 4h 5s 6c 7d 8h / 8c 7c 6c 5c 4c 3c 2c / 2s 3s 4s 5s 6s 7s 8d
- 2c 3d 4h 5s 6c 7d Jk / 2c 2d 3h 4s 5c 6d 7h / 3c 4d 5h 6s 7c 8d 9h
one_suit:AQ
+ As Qs 2c 4d 6h 8s Tc / Ac Qc 2d 4d 6h 8s / Jk Qs As 2c 4d 6h / Ah Qh 2c
- As Qh 2c 4d 6h 8s Tc / Jk Qs 2c 4d 6h 8c / Ac Kc Qd / Jk Qs 2c
one_suit:432A5
+ As 2s 3s 4s 5s 9d Kd / 5h 4h 3h 2h Ah Jk / As 2s 3s 4s 5s 6s 7s
- Jk 2s 3s 4s 5s 9d Kd / As 2s 3s 4s 5d 9d / Ah 2s 3s 4s 5s 9d Kd
one_suit:A2345+AQ
+ As 2s 3s 4s 5s Ah Qh / Ac 2c 3c 4c 5c Ad Qd / Qh Ah 5s 4s 3s 2s As
- As 2s 3s 4s 5s Qs 9d / As 2s 3s 4s 5s Ah Qd / As 2s 3s 4s 5s Jk Qh / As 2s 3s 4s 5s Ah Kh / As 2s 3s 4s 5s Ah 9h
one_suit:AK+23
+ Ac Kc 2d 3d 7h 8s / 2c 3c Ad Kd 7h 8s Th / Ac Kc 2c 3c 2d 3d 9h
- Ac Kc 2c 3c 7h 8s Th / Ac Kd 2c 3d 7h 8s / Jk Kc 2d 3d 7h 8s
royal_flush_beside:AQ
+ Ts Js Qs Ks As Ah Qh / As Ks Qs Js Jk Ah Qh / Jk Ts Js Qs Ks Ad Qd
- As Ks Qs Js Ts Jk Qh / As Ks Qs Js Ts Ah Qd / As Ks Qs Js Ts Kh Qh / As Ks Qs Js Ts Ah Jk
royal_flush_beside:QK
+ As Ks Qs Js Ts Kh Qh / As Js Ts Qs Jk Kd Qd / As Ks Qs Js Ts Qc Kc
- As Ks Qs Js Ts Kh Qd / As Ks Qs Js Ts Kh Jk / As Ks Qs Js 9s Kh Qh
royal_flush_beside:K9
+ Ts Js Qs Ks As Jk 9s / Ts Js Qs Ks As Kd 9d / Jk Js Qs Ks As Kd 9d
- Ts Js Qs Ks As Kd 9h / 9s Ts Js Qs Ks Jk Kd / 9s Ts Js Qs Ks As 2s
red:0
+ 2c 4c 6s 8s Tc Qs Ks / Jk 4c 6s 8s Tc Qs / 2c 4s Jk
- 2d 4c 6s 8s Tc Qs Ks / Jk 4h 6s 8s Tc Qs / 2d 4h 6d
red:3
+ 2d 4h 6d 8s Tc Qs Ks / 2d 4h 6d Jk Tc Qs / 2d 4h 6d
- 2d 4h 6d 8d Tc Qs Ks / 2d 4h 6s 8s Tc Qs / 2d 4h Jk
red:7
+ 2d 4h 6d 8h Td Qh Kd / Ad 2h 3d 4h 5d 6h 7d / 2h 4h 6h 8h Th Qh Kh
- 2d 4h 6d 8h Td Qh Jk / 2d 4h 6d 8h Td Qh Kc / 2c 4s 6c 8s Tc Qs Ks
black:0
+ 2d 4h 6d 8h Td Qh Kd / Jk 4h 6d 8h Td Qh / 2d 4h Jk
- 2c 4h 6d 8h Td Qh Kd / 2s 4c 6s 8c Ts Qc / 2c 4h Jk
black:4
+ 2c 4s 6c 8s Td Qh Kd / 2c 4s 6c 8s Jk Qh / 2c 4c 6c 8c Td Jk Kd
- 2c 4s 6c 8s Tc Qh Kd / 2c 4s 6c Jk Td Qh Kd / 2c 4s 6c 8h Td Qh
black:7
+ 2c 4s 6c 8s Tc Qs Kc / As 2c 3s 4c 5s 6c 7s / 2s 4s 6s 8s Ts Qs Ks
- 2c 4s 6c 8s Tc Qs Jk / 2c 4s 6c 8s Tc Qs Kh / 2d 4h 6d 8h Td Qh Kd
one_colour
+ 2c 4s 6c 8s Tc Qs Ks / 2d 4h 6d 8h Td Jk / 2c 4c 6c 8c Tc Qc Jk / 2d 4h Jk
- 2c 4s 6c 8s Tc Qs Kd / 2d 4h 6d 8h Tc Jk / 2d 4c Jk / 2s 4s 6h
"""

# The same for the colour that a wager names, which is before the cards.
OF_COLOUR = """
named_colour:0
+ black 2d 4h 6d 8h Td Qh Kd / red 2c 4s 6c 8s Tc Jk / black 2d 4h 6d 8h Td Jk
- red 2d 4h 6d 8h Td Qh Kd / black 2c 4s 6c 8s Tc Jk / red 2d 4s 6c 8s Tc Qs Ks
named_colour:4
+ red 2d 4h 6d 8h Tc Qs Ks / red 2d 4h 6d 8h Tc Jk / black 2c 4s 6c 8s Td Qh Kh
- black 2d 4h 6d 8h Tc Qs Ks / red 2d 4h 6d 8h Td Qs Ks / red 2d 4h 6d Jk Tc Qs / black 2c 4s 6c Jk Td Qh Kh
named_colour:7
+ red 2d 4h 6d 8h Td Qh Kd / black 2c 4s 6c 8s Tc Qs Kc / red Ad 2h 3d 4h 5d 6h 7d
- black 2d 4h 6d 8h Td Qh Kd / red 2d 4h 6d 8h Td Qh Jk / black 2c 4s 6c 8s Tc Qs Kh
"""

# A house way, a seat's cards and the dealer's, and those of the terms that hold; the others do not.
ON_BOTH = ("win push lose high_win high_copy high_lose low_win low_copy low_lose low_pair:2 low_pair:3 low_pair:Q "
           "low_pair:A dealer_low_pair:2 dealer_low_pair:3 dealer_low_pair:Q dealer_low_pair:A low_highest:J "
           "low_highest:Q high:pair high:two_pair high_highest:K dealer_low_highest:J dealer_low_highest:Q "
           "dealer_high:pair dealer_high:two_pair dealer_high_highest:K").split()
BOTH = """
mikes|Kc Kd Qh Js 9c 5d 2h|Ks Jd 9h 7s 5c 3d 2c
+ win high_win low_win low_highest:Q high:pair dealer_low_highest:J dealer_high_highest:K
mikes|Ks Jd 9h 7s 5c 3d 2c|Kc Kd Qh Js 9c 5d 2h
+ lose high_lose low_lose low_highest:J high_highest:K dealer_low_highest:Q dealer_high:pair
mikes|Kc Kd Qh Js 9c 5d 2h|Kh Ks Qc Jd 9d 5h 2c
+ lose high_copy low_copy low_highest:Q high:pair dealer_low_highest:Q dealer_high:pair
mikes|Kc Kd Qh Js 9c 5d 2h|Tc Td Qc Jd 9h 5s 2d
+ push high_win low_copy low_highest:Q high:pair dealer_low_highest:Q dealer_high:pair
mikes|Tc Td Qc Jd 9h 5s 2d|Kc Kd Qh Js 9c 5d 2h
+ lose high_lose low_copy low_highest:Q high:pair dealer_low_highest:Q dealer_high:pair
mikes|Kc Kd Qh Js 9c 5d 2h|Kh Ks Jh Ts 9d 5h 2c
+ push high_copy low_win low_highest:Q high:pair dealer_low_highest:J dealer_high:pair
mikes|Kc Kd Qh Qs 9c 5d 2h|Ac Ad Jh Ts 8c 5s 2d
+ push high_lose low_win low_pair:2 low_pair:3 low_pair:Q high:pair dealer_low_highest:J dealer_high:pair
mikes|Ac Ad Jh Ts 8c 5s 2d|Kc Kd Qh Qs 9c 5d 2h
+ push high_win low_lose dealer_low_pair:2 dealer_low_pair:3 dealer_low_pair:Q low_highest:J high:pair dealer_high:pair
mikes|3c 3d 2h 2s 9c 7d 5h|Ac Ad Jh Ts 8c 5s 2d
+ push high_lose low_win low_pair:2 high:pair dealer_low_highest:J dealer_high:pair
mikes|Ac Ad Jh Ts 8c 5s 2d|3c 3d 2h 2s 9c 7d 5h
+ push high_win low_lose dealer_low_pair:2 low_highest:J high:pair dealer_high:pair
mikes|4c 4d 3h 3s 9c 7d 5h|Ac Ad Jh Ts 8c 5s 2d
+ push high_lose low_win low_pair:2 low_pair:3 high:pair dealer_low_highest:J dealer_high:pair
mikes|Ac Ad Jh Ts 8c 5s 2d|4c 4d 3h 3s 9c 7d 5h
+ push high_win low_lose dealer_low_pair:2 dealer_low_pair:3 low_highest:J high:pair dealer_high:pair
mikes|Ac Jk Kc Kd Qh Qs 2c|4c 4d 3h 3s 9c 7d 5h
+ win high_win low_win low_pair:2 low_pair:3 low_pair:Q low_pair:A dealer_low_pair:2 dealer_low_pair:3 high:two_pair dealer_high:pair
mikes|3c 3d 2h 2s 9c 7d 5h|Ac Ad Kh Ks Qc Qd 2d
+ lose high_lose low_lose low_pair:2 dealer_low_pair:2 dealer_low_pair:3 dealer_low_pair:Q dealer_low_pair:A high:pair dealer_high:two_pair
mini|Kc Kd 9h 7s 5c 2d|Qc Qd Jh 7d 4c 2h
+ push high_win low_lose high:pair dealer_low_highest:J dealer_high:pair
mini|Ac Ad Kh 7d 4c 2h|Qc Qd Jh 7c 4d 2s
+ win high_win low_win high:pair dealer_low_highest:J dealer_high:pair
"""

# The same if the joker is wild.
WILD = """
five_aces
+ Ac Ad Ah As Jk 2c 3d
- Kc Kd Kh Ks Jk 2c 3d / Ac Ad Ah Jk Kc 2c 3d
five_of_a_kind
+ Kc Kd Kh Ks Jk 2c 3d / Ac Ad Ah As Jk 2c 3d
- Kc Kd Kh Jk 9s 7c 2d / Kc Kd Kh Ks 9s 7c 2d
royal_flush
+ Tc Jc Qc Kc Jk 7d 2d / Tc Jc Qc Ac Jk 7d 2d
- Tc Jc Qc Kd Jk 7d 2d / 9c Tc Jc Qc Jk 7d 2d
straight_flush
+ 9c Tc Jc Qc Jk 7d 2d / Ac 2c 3c 4c Jk 9d 8h
- 9c Tc Jc Qd Jk 7d 2d
four_of_a_kind
+ Kc Kd Kh Jk 9s 7c 2d / Kc Kd Kh Ks Jk 7c 2d / 2c 2d 2h Jk Ks Kh 9d
- Kc Kd Jk 9s 8h 4c 2d / Kc Kd 9h 9s Jk 4c 2d
full_house
+ Kc Kd 9h 9s Jk 4c 2d / Kc Kd Kh Jk 9s 7c 2d / Kc Kd Kh 9h 9s 4c 2d / Kc Kd Kh Ks Jk 7c 2d
- Kc Kd Jk 9s 8h 4c 2d / Kc Kd 9h 9s 8h 4c 2d / Kc Qd Jk 9s 8h 4c 2d
flush
+ 2c 5c 9c Jc Jk 3d 7h
- 2c 5c 9c Jd Jk 3d 7h
straight
+ 5c 6d 8h 9s Jk Kc Kd / Ac 2d 3h 4s Jk Kc Kd
- 5c 6d 8h Ts Jk Kc 2d
three_of_a_kind
+ Kc Kd Jk 9s 8h 4c 2d / 2c 2d Jk Ks 9h 7c 5d / Kc Kd Jk / 2h 2s Jk
- Kc Qd Jk 9s 8h 4c 2d / Kc Kd Qh 9s 8h 4c 2d / Kc Qd Jk
two_pair
+ Kc Kd Jk 9s 8h 4c 2d / Kc Kd Kh Jk 9s 7c 2d
- Kc Qd Jk 9s 8h 4c 2d
pair
+ Kc Qd Jk 9s 8h 4c 2d / 7c 2d Jk
- Kc Qd Th 9s 8h 4c 2d
pair:Q
+ Kc Td Jk 9s 8h 4c 2d / Qc Td Jk 9s 8h 4c 2d / Kc 2d Jk
- Jc Td Jk 8s 6h 4c 2d / Tc 2d Jk
pairs:0
+ Kc Qd Th 9s 8h 4c 2d
- Kc Qd Jk 9s 8h 4c 2d
pairs:1
+ Kc Qd Jk 9s 8h 4c 2d
- Kc Kd Jk 9s 8h 4c 2d
pairs:2
+ Kc Kd Jk 9s 8h 4c 2d / Kc Kd Kh Jk 9s 7c 2d
- Kc Kd 9h 9s Jk 4c 2d
pairs:3
+ Kc Kd 9h 9s Jk 4c 2d / Kc Kd 9h 9s 4c 4d Jk
- Kc Kd Jk 9s 8h 4c 2d
pai_gow
+ Qc Td 9h 8s 6c 4h 2d
- Qc Td 9h Jk 6c 4h 2d / Qc Td Jk
highest:A
+ Kc Qd Jk 9s 8h 4c 2d
- Kc Qd Th 9s 8h 4c 2d
highest:K
+ Kc Qd Th 9s 8h 4c 2d
- Kc Qd Jk 9s 8h 4c 2d
ranks:KKQ
+ Kc Kd Jk 9s 8h 4c 2d / Kc Qd Jk 9s 8h 4c 2d / Kc Kd Qh 9s 8h 4c 2d
- Kc Td Jk 9s 8h 4c 2d / Kc Qd Th 9s 8h 4c 2d
natural_pair
+ Kc Kd Jk 9s 8h 4c 2d
- Kc Qd Jk 9s 8h 4c 2d
natural_three_of_a_kind
+ Kc Kd Kh Jk 8h 4c 2d
- Kc Kd Jk 9s 8h 4c 2d
suited:4
+ 2c 5c 9c Jk Kd 3d 7h
- 2c 5c 9d Jk Kd 3h 7h
"""

# A house way, the dealer's cards, and those of the terms of a push that hold; the others do not. Those on the set hands
# hold for a seat that holds the cards, too.
ON_PUSH = ("low_highest:9 low_highest:T low_highest:K low_highest:A low_pair:2 low_pair:Q low_pair:A high:high_card "
           "high:pair high:two_pair high:three_of_a_kind high:straight high:flush high:full_house high_highest:T "
           "high_highest:A pai_gow joker").split()
PUSHED = """
mikes|Ts 9d 8c 6h 4c 3s 2d
+ low_highest:9 high:high_card high_highest:T pai_gow
mikes|Kc Kd 9h 7s 5c 3d 2h
+ low_highest:9 high:pair
mikes|Jk Ts 9d 7c 5h 3s 2d
+ low_highest:T high:high_card high_highest:A pai_gow joker
mikes|Kc Kd Qh Qs 9c 5d 2h
+ low_pair:2 low_pair:Q high:pair
mikes|Ac Jk Kc Kd Qh Qs 2c
+ low_pair:2 low_pair:Q low_pair:A high:two_pair joker
mikes|Ac Kd 9c 8d 7h 6s 5c
+ low_highest:A high:straight
mikes|Ac Kd 9c 8c 7h 4c 2c
+ low_highest:K high:flush
mikes|9c 9d 9h 4c 4d Ts 2h
+ low_pair:2 high:three_of_a_kind
trump-plaza-wild|Kc Kd Jk 9h 7s 5d 2c
+ low_highest:9 high:three_of_a_kind joker
trump-plaza-wild|Kh Ks Qc Qd Jk 7h 2s
+ low_pair:2 low_pair:Q high:three_of_a_kind joker
trump-plaza-wild|Ac Ad Kc Kh Ks Jk 2d
+ low_pair:2 low_pair:Q low_pair:A joker
trump-plaza-wild|Kc Qd Jk 9s 7h 4c 2d
+ low_highest:Q high:pair joker
mini|Kc Kd 9h 7s 5c 2d
+ low_highest:9 high:pair
mini|Ac Ad Kh 7d 4c 2h
+ low_highest:K high:pair
mini|Ts 9d 7c 5h 3s 2d
+ low_highest:9 high:high_card high_highest:T pai_gow
mini|2c 5c 9c Jc Kc Jk
+ low_highest:A high:flush joker
"""

# Conditions of each form, the cards, and whether they hold.
LISTS = (
    (["pair"], "9c 9d 2c 4d 6h Js Kc", True), (["pair"], "2c 4d 6h 8s Tc Qd", False),
    (["pair", "no_joker"], "9c 9d 2c 4d 6h Js Kc", True), (["pair", "no_joker"], "Ac Jk 2c 4d 6h 8s", False),
    (["no_joker", "pair"], "2c 4d 6h 8s Tc Qd Kh", False), ([["pair", "no_joker"]], "9c 9d 2c 4d 6h Js", True),
    ([["pair", "no_joker"]], "Ac Jk 2c 4d 6h 8s Tc", False), ([["joker"], ["pair"]], "9c 9d 2c 4d 6h Js Kc", True),
    ([["joker"], ["pair"]], "Jk Kd 2c 4d 6h 8s", True), ([["joker"], ["pair"]], "2c 4d 6h 8s Tc Qd Kh", False),
    ([["joker", "flush"], ["no_joker", "straight"]], "2c 3d 4h 5s Jk 9d 9h", False),
    ([["joker", "flush"], ["no_joker", "straight"]], "2c 5c 9c Jc Jk 3d", True),
    ([["joker", "flush"], ["no_joker", "straight"]], "2c 3d 4h 5s 6c 9d 9h", True),
    ([["joker", "flush"], ["no_joker", "straight"]], "2c 5c 9c Jc Kc 3d 4h", False),
    (["pai_gow", "highest:Q"], "2s 4h 6d 8c Ts Jh Qh", True),
    (["pai_gow", "highest:Q"], "Jk 2s 4h 6d 8c Ts Qh", False),
    (["three_of_a_kind", "no_joker"], "7c 7d 7h", True), (["three_of_a_kind", "no_joker"], "Ac Ad Jk", False))

# The subject of a bet, the number of cards in a hand, and conditions that are refused.
REFUSED = (
    ("seat-hand", 7, (
        [], [[]], [["pair"], []], [["pair"], "joker"], ["joker", ["pair"]], [[["pair"]]], [7], [True], 7, True, "",
        [""], "Pair", "pair ", " pair", "pair\n", "nine_high", "seven_of_colour", "royal_match", "no_no_pair", "no_",
        "no", "nopair", "NO_pair", "no pair", "constructor", "no_constructor", "__proto__", "pair,joker", "win",
        "push", "high_win", "low_pair:3", "dealer_low_pair:3", "joker:", "joker:1", "pai_gow:A", "flush:5",
        "five_aces:A", "one_colour:red", "highest", "no_highest", "highest:", "highest:10", "highest:1", "highest:a",
        "highest:AK", "highest: A", "highest:A:K", "pair:", "pair:JJ", "pair:1", "pair:0", "natural_pair:K",
        "natural_five_aces", "natural_five_of_a_kind", "natural_joker", "natural_pai_gow", "natural_suited:5", "pairs", "pairs:4", "pairs:-1",
        "pairs:01", "pairs:1.0", "pairs:A", "suited", "suited:1", "suited:0", "suited:8", "suited:07", "suited:+5",
        "suited:\uff15", "run:1", "run:8", "run", "suited_run:1", "suited_run:8", "suited_run", "ranks", "ranks:",
        "ranks:A1", "ranks:ak", "ranks:A,K", "ranks:22334455", "one_suit", "one_suit:", "one_suit:A", "one_suit:AA",
        "one_suit:A2A", "one_suit:A1", "one_suit:AK+", "one_suit:+AK", "one_suit:AK+Q", "one_suit:AK+QQ",
        "one_suit:AK+QJ+T9", "one_suit:AK QJ", "royal_flush_beside", "royal_flush_beside:A", "royal_flush_beside:AQK",
        "royal_flush_beside:QQ", "royal_flush_beside:A+Q", "royal_flush_beside:A1", "red", "red:8", "red:-1", "black",
        "black:8", "named_colour", "named_colour:8", "named_colour:-1", "named_colour:red")),
    ("seat-hand", 6, ("suited:7", "run:7", "suited_run:7", "ranks:2233445", "royal_flush_beside:AQ",
                      "one_suit:A2345+AQ",                      ["pair", "no_suited_run:7"])),
    ("dealer-hand", 7, (
        "named_colour:4", "no_named_colour:4", "win", "low_pair:3", "suited:8", [["pair"], ["push"]])),
    ("dealer-hand", 6, ("suited:7", "royal_flush_beside:AQ")),
    ("first-three", 7, (
        "five_aces", "royal_flush", "four_of_a_kind", "full_house", "two_pair", "natural_royal_flush",
        "natural_four_of_a_kind", "natural_full_house", "natural_two_pair", "no_two_pair", "royal_flush_beside:AQ",
        "named_colour:3", "suited:4", "run:4", "suited_run:7", "ranks:AKQJ", "one_suit:AK+QJ", "push", "low_pair:3")),
    ("push_on_dealer", 7, (
        "named_colour:4", "win", "push", "high_win", "dealer_low_pair:3", "low_highest", "low_highest:10", "low_highest:",
        "high_highest:AK", "high", "high:", "high:pairs", "high:full house", "high:Flush", "low:pair", "low_pair:1",
        "suited:8", [["low_highest:9"], ["push"]], [])),
    ("seat-hand", 7, ("low_highest:9", "high_highest:A", "high:flush")),
    ("seat-set-hands", 7, (
        "win", "low_win", "pair", "pair:3", "joker", "pai_gow", "flush", "dealer_low_pair:3", "dealer_high:pair", "low_pair",
        "low_pair:1", "low_highest", "low_highest:10", "high_highest:AK", "high", "high:", "high:pairs", "high:full house",
        "low:pair", "named_colour:4", [], [["low_pair:3"], ["win"]])),
    ("house-way-hands", 7, (
        "pair", "pair:3", "joker", "flush", "pai_gow", "named_colour:4", "low_pair", "low_pair:1", "low_pair:33",
        "dealer_low_pair", "dealer_dealer_low_pair:3", "dealer_low_highest", "low_highest:10", "high_highest:AK", "high",
        "high:pairs", "dealer_high:", "dealer_high:full house", "dealer_joker", "win:1", "high_push", "low_push", "dealer_win", "no_no_push", "push_with_threes_or_better",
        [], [["push"], []], ["push", "joker"])))


def stated(table):
    """Terms of a table, hands, and whether the term holds."""
    for line in table.split("\n")[1:-1]:
        if line[0] not in "+-":
            term = line
            continue
        for hand in line[2:].split(" / "):
            yield term, hand.split(), line[0] == "+"


def cases():
    """Conditions, their subjects, the other inputs, and whether they hold."""
    for count, (term, cards, holds) in enumerate(stated(TERMS)):
        looks_at = "first-three" if len(cards) == 3 else ("seat-hand", "dealer-hand")[count % 2]
        yield term, looks_at, {"cards": cards}, holds
    for count, (term, cards, holds) in enumerate(stated(WILD)):
        looks_at = "first-three" if len(cards) == 3 else ("seat-hand", "dealer-hand")[count % 2]
        yield term, looks_at, {"cards": cards, "joker": "wild"}, holds
    for term, (choice, *cards), holds in stated(OF_COLOUR):
        yield term, "seat-hand", {"cards": cards, "choice": choice}, holds
    lines = BOTH.split("\n")[1:-1]
    for hands, true in zip(lines[::2], lines[1::2]):
        way, cards, dealer = hands.split("|")
        for term in ON_BOTH:
            given = {"house_way": way, "cards": cards.split(), "dealer": dealer.split()}
            yield term, "house-way-hands", given, term in true[2:].split()
    lines = PUSHED.split("\n")[1:-1]
    for hand, true in zip(lines[::2], lines[1::2]):
        way, cards = hand.split("|")
        for term in ON_PUSH:
            given = {"house_way": way, "cards": cards.split()}
            if way.endswith("-wild"):
                given["joker"] = "wild"
            yield term, "push_on_dealer", given, term in true[2:].split()
            if ":" in term:
                yield term, "seat-set-hands", given, term in true[2:].split()


def add_to(layer):
    """Every term and its opposite on each of its hands; lists of terms; conditions that are refused."""
    for term, looks_at, given, holds in cases():
        for condition, expected in ((term, holds), (f"no_{term}", not holds)):
            layer.add("holds", condition=condition, looks_at=looks_at, **given, expect={"holds": expected})
    for condition, cards, holds in LISTS:
        looks_at, cards = "first-three" if len(cards) == 8 else "seat-hand", cards.split()
        layer.add("holds", condition=condition, looks_at=looks_at, cards=cards, expect={"holds": holds})
    known = {(looks_at, len(given["cards"]) if looks_at in ("seat-hand", "dealer-hand") else 7, term)
             for term, looks_at, given, _ in cases()}
    for looks_at, hand, term in sorted(known):
        layer.add("condition", condition=term, looks_at=looks_at, hand=hand, expect={"valid": True})
    for looks_at, hand, refused in REFUSED:
        for condition in refused:
            layer.add("condition", condition=condition, looks_at=looks_at, hand=hand, expect={"valid": False})
