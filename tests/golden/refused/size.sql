SELECT count(*) FROM visits WHERE (((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((age > 5)))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))));
-- SqlSyntaxError: the statement is nested too deeply
-- DETAIL: Nothing was charged.
-- HINT: Use fewer parentheses.
----
SELECT count(*) FROM visits WHERE NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT ok;
-- SqlSyntaxError: the statement is nested too deeply
-- DETAIL: Nothing was charged.
-- HINT: Use fewer parentheses.
----
SELECT count(*) FROM visits WHERE age > 1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1;
-- UnsupportedSqlError: the query is too large
-- DETAIL: It may have 20000 parts, nested 100 deep. Nothing was charged.
-- HINT: Split it, or filter by a shorter condition.
----
SELECT count(*) FROM (SELECT * FROM (SELECT * FROM (SELECT * FROM (SELECT * FROM (SELECT * FROM (SELECT * FROM (SELECT * FROM (SELECT * FROM (SELECT * FROM (SELECT * FROM (SELECT * FROM (SELECT * FROM (SELECT * FROM (SELECT * FROM (SELECT * FROM (SELECT * FROM (SELECT * FROM (SELECT * FROM (SELECT * FROM (SELECT * FROM (SELECT * FROM (SELECT * FROM (SELECT * FROM (SELECT * FROM (SELECT * FROM (SELECT * FROM (SELECT * FROM (SELECT * FROM (SELECT * FROM (SELECT * FROM (SELECT * FROM (SELECT * FROM (SELECT * FROM (SELECT * FROM (SELECT * FROM (SELECT * FROM (SELECT * FROM (SELECT * FROM (SELECT * FROM (SELECT * FROM visits))))))))))))))))))))))))))))))))))))))));
-- UnsupportedSqlError: the query is too large
-- DETAIL: It may have 20000 parts, nested 100 deep. Nothing was charged.
-- HINT: Split it, or filter by a shorter condition.
----
SELECT count(*) FROM visits WHERE age IN (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127, 128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139, 140, 141, 142, 143, 144, 145, 146, 147, 148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159, 160, 161, 162, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173, 174, 175, 176, 177, 178, 179, 180, 181, 182, 183, 184, 185, 186, 187, 188, 189, 190, 191, 192, 193, 194, 195, 196, 197, 198, 199, 200, 201, 202, 203, 204, 205, 206, 207, 208, 209, 210, 211, 212, 213, 214, 215, 216, 217, 218, 219, 220, 221, 222, 223, 224, 225, 226, 227, 228, 229, 230, 231, 232, 233, 234, 235, 236, 237, 238, 239, 240, 241, 242, 243, 244, 245, 246, 247, 248, 249, 250, 251, 252, 253, 254, 255, 256, 257, 258, 259, 260, 261, 262, 263, 264, 265, 266, 267, 268, 269, 270, 271, 272, 273, 274, 275, 276, 277, 278, 279, 280, 281, 282, 283, 284, 285, 286, 287, 288, 289, 290, 291, 292, 293, 294, 295, 296, 297, 298, 299, 300, 301, 302, 303, 304, 305, 306, 307, 308, 309, 310, 311, 312, 313, 314, 315, 316, 317, 318, 319, 320, 321, 322, 323, 324, 325, 326, 327, 328, 329, 330, 331, 332, 333, 334, 335, 336, 337, 338, 339, 340, 341, 342, 343, 344, 345, 346, 347, 348, 349, 350, 351, 352, 353, 354, 355, 356, 357, 358, 359, 360, 361, 362, 363, 364, 365, 366, 367, 368, 369, 370, 371, 372, 373, 374, 375, 376, 377, 378, 379, 380, 381, 382, 383, 384, 385, 386, 387, 388, 389, 390, 391, 392, 393, 394, 395, 396, 397, 398, 399, 400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 411, 412, 413, 414, 415, 416, 417, 418, 419, 420, 421, 422, 423, 424, 425, 426, 427, 428, 429, 430, 431, 432, 433, 434, 435, 436, 437, 438, 439, 440, 441, 442, 443, 444, 445, 446, 447, 448, 449, 450, 451, 452, 453, 454, 455, 456, 457, 458, 459, 460, 461, 462, 463, 464, 465, 466, 467, 468, 469, 470, 471, 472, 473, 474, 475, 476, 477, 478, 479, 480, 481, 482, 483, 484, 485, 486, 487, 488, 489, 490, 491, 492, 493, 494, 495, 496, 497, 498, 499, 500, 501, 502, 503, 504, 505, 506, 507, 508, 509, 510, 511, 512, 513, 514, 515, 516, 517, 518, 519, 520, 521, 522, 523, 524, 525, 526, 527, 528, 529, 530, 531, 532, 533, 534, 535, 536, 537, 538, 539, 540, 541, 542, 543, 544, 545, 546, 547, 548, 549, 550, 551, 552, 553, 554, 555, 556, 557, 558, 559, 560, 561, 562, 563, 564, 565, 566, 567, 568, 569, 570, 571, 572, 573, 574, 575, 576, 577, 578, 579, 580, 581, 582, 583, 584, 585, 586, 587, 588, 589, 590, 591, 592, 593, 594, 595, 596, 597, 598, 599, 600, 601, 602, 603, 604, 605, 606, 607, 608, 609, 610, 611, 612, 613, 614, 615, 616, 617, 618, 619, 620, 621, 622, 623, 624, 625, 626, 627, 628, 629, 630, 631, 632, 633, 634, 635, 636, 637, 638, 639, 640, 641, 642, 643, 644, 645, 646, 647, 648, 649, 650, 651, 652, 653, 654, 655, 656, 657, 658, 659, 660, 661, 662, 663, 664, 665, 666, 667, 668, 669, 670, 671, 672, 673, 674, 675, 676, 677, 678, 679, 680, 681, 682, 683, 684, 685, 686, 687, 688, 689, 690, 691, 692, 693, 694, 695, 696, 697, 698, 699, 700, 701, 702, 703, 704, 705, 706, 707, 708, 709, 710, 711, 712, 713, 714, 715, 716, 717, 718, 719, 720, 721, 722, 723, 724, 725, 726, 727, 728, 729, 730, 731, 732, 733, 734, 735, 736, 737, 738, 739, 740, 741, 742, 743, 744, 745, 746, 747, 748, 749, 750, 751, 752, 753, 754, 755, 756, 757, 758, 759, 760, 761, 762, 763, 764, 765, 766, 767, 768, 769, 770, 771, 772, 773, 774, 775, 776, 777, 778, 779, 780, 781, 782, 783, 784, 785, 786, 787, 788, 789, 790, 791, 792, 793, 794, 795, 796, 797, 798, 799, 800, 801, 802, 803, 804, 805, 806, 807, 808, 809, 810, 811, 812, 813, 814, 815, 816, 817, 818, 819, 820, 821, 822, 823, 824, 825, 826, 827, 828, 829, 830, 831, 832, 833, 834, 835, 836, 837, 838, 839, 840, 841, 842, 843, 844, 845, 846, 847, 848, 849, 850, 851, 852, 853, 854, 855, 856, 857, 858, 859, 860, 861, 862, 863, 864, 865, 866, 867, 868, 869, 870, 871, 872, 873, 874, 875, 876, 877, 878, 879, 880, 881, 882, 883, 884, 885, 886, 887, 888, 889, 890, 891, 892, 893, 894, 895, 896, 897, 898, 899, 900, 901, 902, 903, 904, 905, 906, 907, 908, 909, 910, 911, 912, 913, 914, 915, 916, 917, 918, 919, 920, 921, 922, 923, 924, 925, 926, 927, 928, 929, 930, 931, 932, 933, 934, 935, 936, 937, 938, 939, 940, 941, 942, 943, 944, 945, 946, 947, 948, 949, 950, 951, 952, 953, 954, 955, 956, 957, 958, 959, 960, 961, 962, 963, 964, 965, 966, 967, 968, 969, 970, 971, 972, 973, 974, 975, 976, 977, 978, 979, 980, 981, 982, 983, 984, 985, 986, 987, 988, 989, 990, 991, 992, 993, 994, 995, 996, 997, 998, 999, 1000);
-- UnsupportedSqlError at 43: IN takes at most 1000 constants
-- DETAIL: The list has 1001. Nothing was charged.
-- HINT: Use BETWEEN or several queries.
----
SELECT sum(age + 0), sum(age + 1), sum(age + 2), sum(age + 3), sum(age + 4), sum(age + 5), sum(age + 6), sum(age + 7), sum(age + 8), sum(age + 9), sum(age + 10), sum(age + 11), sum(age + 12), sum(age + 13), sum(age + 14), sum(age + 15), sum(age + 16), sum(age + 17), sum(age + 18), sum(age + 19), sum(age + 20), sum(age + 21), sum(age + 22), sum(age + 23), sum(age + 24), sum(age + 25), sum(age + 26), sum(age + 27), sum(age + 28), sum(age + 29), sum(age + 30), sum(age + 31), sum(age + 32), sum(age + 33), sum(age + 34), sum(age + 35), sum(age + 36), sum(age + 37), sum(age + 38), sum(age + 39), sum(age + 40), sum(age + 41), sum(age + 42), sum(age + 43), sum(age + 44), sum(age + 45), sum(age + 46), sum(age + 47), sum(age + 48), sum(age + 49), sum(age + 50), sum(age + 51), sum(age + 52), sum(age + 53), sum(age + 54), sum(age + 55), sum(age + 56), sum(age + 57), sum(age + 58), sum(age + 59), sum(age + 60), sum(age + 61), sum(age + 62), sum(age + 63), sum(age + 64), sum(age + 65), sum(age + 66), sum(age + 67), sum(age + 68), sum(age + 69), sum(age + 70), sum(age + 71), sum(age + 72), sum(age + 73), sum(age + 74), sum(age + 75), sum(age + 76), sum(age + 77), sum(age + 78), sum(age + 79), sum(age + 80), sum(age + 81), sum(age + 82), sum(age + 83), sum(age + 84), sum(age + 85), sum(age + 86), sum(age + 87), sum(age + 88), sum(age + 89), sum(age + 90), sum(age + 91), sum(age + 92), sum(age + 93), sum(age + 94), sum(age + 95), sum(age + 96), sum(age + 97), sum(age + 98), sum(age + 99), sum(age + 100) FROM visits;
-- UnsupportedSqlError: more than 100 aggregates
-- DETAIL: Each needs a share of epsilon. Nothing was charged.
-- HINT: Ask for fewer.
----
SELECT quantile_cont(age, [0.001, 0.002, 0.003, 0.004, 0.005, 0.006, 0.007, 0.008, 0.009, 0.010, 0.011, 0.012, 0.013, 0.014, 0.015, 0.016, 0.017, 0.018, 0.019, 0.020, 0.021, 0.022, 0.023, 0.024, 0.025, 0.026, 0.027, 0.028, 0.029, 0.030, 0.031, 0.032, 0.033, 0.034, 0.035, 0.036, 0.037, 0.038, 0.039, 0.040, 0.041, 0.042, 0.043, 0.044, 0.045, 0.046, 0.047, 0.048, 0.049, 0.050, 0.051, 0.052, 0.053, 0.054, 0.055, 0.056, 0.057, 0.058, 0.059, 0.060, 0.061, 0.062, 0.063, 0.064, 0.065, 0.066, 0.067, 0.068, 0.069, 0.070, 0.071, 0.072, 0.073, 0.074, 0.075, 0.076, 0.077, 0.078, 0.079, 0.080, 0.081, 0.082, 0.083, 0.084, 0.085, 0.086, 0.087, 0.088, 0.089, 0.090, 0.091, 0.092, 0.093, 0.094, 0.095, 0.096, 0.097, 0.098, 0.099, 0.100, 0.101]) FROM visits;
-- UnsupportedSqlError at 8: a list has 1 to 100 quantiles
-- DETAIL: Each costs a share of epsilon. Nothing was charged.
-- HINT: Ask for fewer.
----
SELECT big, count(*) FROM visits GROUP BY big ORDER BY count(*) DESC LIMIT 10001;
-- UnsupportedSqlError at 43: LIMIT is larger than 10000
-- DETAIL: Each selected row costs a share of epsilon. Nothing was charged.
-- HINT: Write a LIMIT of at most 10000.
----
SELECT big, count(*) FROM visits GROUP BY big;
-- UnsupportedSqlError at 43: the answer would have 18,000,000,000,000,001 rows
-- DETAIL: All groups of a public domain are shown, at most 10,000,000. Nothing was charged.
-- HINT: Add ORDER BY count(*) DESC LIMIT 10.
----
SELECT big, sum(age) FROM visits GROUP BY big ORDER BY 2 DESC LIMIT 3;
-- UnsupportedSqlError at 43: the answer would have 18,000,000,000,000,001 rows
-- DETAIL: All groups of a public domain are shown, at most 1,000,000. Nothing was charged.
-- HINT: Add ORDER BY count(*) DESC LIMIT 10.
----
SELECT big, moment, age, amount, count(*) AS n FROM visits GROUP BY ALL ORDER BY n DESC LIMIT 3;
-- UnsupportedSqlError: the keys have too many combinations
-- DETAIL: There are 8,908,200,000,000,000,494,900 of them, and the most is 4,611,686,018,427,387,903. Nothing was charged.
-- HINT: Group by fewer keys, or by coarser ones such as x // 10.
----
SELECT big, count(*) FROM visits GROUP BY big HAVING count(*) > 5;
-- UnsupportedSqlError at 43: the answer would have 18,000,000,000,000,001 rows
-- DETAIL: All groups of a public domain are shown, at most 1,000,000. Nothing was charged.
-- HINT: Add ORDER BY count(*) DESC LIMIT 10.
----
SELECT count(*) FROM visits WHERE page LIKE 'a%a%a%a%a%a%a%a%a%a%a%a%a%a%a%a%a%a%a%a%a%';
-- UnsupportedSqlError at 45: this LIKE pattern is too costly
-- DETAIL: It may have 1000 characters and 20 wildcards %; more may take long on a private row. Nothing was charged.
-- HINT: Write a simpler pattern, or join several LIKE with AND.
----
SELECT count(*) FROM visits WHERE regexp_matches(page, '(a{50}){50}');
-- UnsupportedSqlError at 35: this regular expression is not supported
-- DETAIL: With its repetitions it is longer than 1000 characters. Nothing was charged.
-- HINT: Use characters, ., [a-z], (...), |, ^, $, \b, \d, \w, \s, *, +, ? and {n,m}.
----
SELECT count(*) FROM visits WHERE regexp_matches(page, '(((((((((((((((((((((a)))))))))))))))))))))');
-- UnsupportedSqlError at 35: this regular expression is not supported
-- DETAIL: Groups are nested more than 20 deep. Nothing was charged.
-- HINT: Use characters, ., [a-z], (...), |, ^, $, \b, \d, \w, \s, *, +, ? and {n,m}.
----
SELECT count(*) FROM visits WHERE contains(page, 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx');
-- UnsupportedSqlError at 35: what is searched is a text of up to 1000 characters
-- DETAIL: It is not. Nothing was charged.
-- HINT: Write contains(x, 'a').
----
SELECT count(*) FROM visits WHERE age > 10000000000000000000000000000000000000000;
-- UnsupportedSqlError at 41: this number is too large
-- DETAIL: No type of DuckDB holds it. Nothing was charged.
-- HINT: Write a number of up to 38 digits.
----
SELECT count(*) FROM visits WHERE age > 1e999;
-- UnsupportedSqlError at 41: the constant 1E+999 is not a value of type DOUBLE
-- DETAIL: the number is too large for DOUBLE. Nothing was charged.
-- HINT: Write a constant of that type.
----
SELECT page, count(*) FROM visits GROUP BY page LIMIT 9999999999999999999;
-- UnsupportedSqlError at 55: LIMIT takes a whole number
-- DETAIL: It must be a constant, and not negative. Nothing was charged.
-- HINT: Write LIMIT 10.
----
SELECT lpad(page, 5000, 'x'), count(*) FROM visits GROUP BY page;
-- UnsupportedSqlError at 8: padding takes a constant width of at most 1000, and a filler
-- DETAIL: A wide one can take all memory. Nothing was charged.
-- HINT: Write lpad(x, 10, ' ').
----
SELECT range(1000000000), count(*) FROM visits;
-- UnsupportedSqlError at 8: range and generate_series are not supported
-- DETAIL: One short call can take all memory. Nothing was charged.
-- HINT: Write the value itself, or use a table that holds the values.
----
SELECT repeat(page, 1000000000), count(*) FROM visits GROUP BY page;
-- UnsupportedSqlError at 8: the function repeat is not supported
-- DETAIL: One short call can take all memory. Nothing was charged.
-- HINT: Write the value itself, or use a table that holds the values.
----
SELECT count(*) FROM visits AS v0 JOIN visits AS v1 ON v1.uid = v0.uid JOIN visits AS v2 ON v2.uid = v0.uid JOIN visits AS v3 ON v3.uid = v0.uid JOIN visits AS v4 ON v4.uid = v0.uid JOIN visits AS v5 ON v5.uid = v0.uid JOIN visits AS v6 ON v6.uid = v0.uid JOIN visits AS v7 ON v7.uid = v0.uid JOIN visits AS v8 ON v8.uid = v0.uid JOIN visits AS v9 ON v9.uid = v0.uid JOIN visits AS v10 ON v10.uid = v0.uid JOIN visits AS v11 ON v11.uid = v0.uid JOIN visits AS v12 ON v12.uid = v0.uid JOIN visits AS v13 ON v13.uid = v0.uid JOIN visits AS v14 ON v14.uid = v0.uid JOIN visits AS v15 ON v15.uid = v0.uid JOIN visits AS v16 ON v16.uid = v0.uid JOIN visits AS v17 ON v17.uid = v0.uid JOIN visits AS v18 ON v18.uid = v0.uid JOIN visits AS v19 ON v19.uid = v0.uid JOIN visits AS v20 ON v20.uid = v0.uid;
-- UnsupportedSqlError: more than 20 tables are joined
-- DETAIL: One is enough for most. Nothing was charged.
-- HINT: Join fewer.
----
WITH a AS (SELECT * FROM visits WHERE age > 0), b AS (SELECT x.uid FROM a AS x JOIN a AS y USING (uid)), c AS (SELECT x.uid FROM b AS x JOIN b AS y USING (uid)), d AS (SELECT x.uid FROM c AS x JOIN c AS y USING (uid)), e AS (SELECT x.uid FROM d AS x JOIN d AS y USING (uid)), f AS (SELECT x.uid FROM e AS x JOIN e AS y USING (uid)), g AS (SELECT x.uid FROM f AS x JOIN f AS y USING (uid)), h AS (SELECT x.uid FROM g AS x JOIN g AS y USING (uid)), i AS (SELECT x.uid FROM h AS x JOIN h AS y USING (uid)), j AS (SELECT x.uid FROM i AS x JOIN i AS y USING (uid)), k AS (SELECT x.uid FROM j AS x JOIN j AS y USING (uid)), l AS (SELECT x.uid FROM k AS x JOIN k AS y USING (uid)), m AS (SELECT x.uid FROM l AS x JOIN l AS y USING (uid)) SELECT count(*) FROM m;
-- UnsupportedSqlError: the query is too large with its CTEs and views
-- DETAIL: It may have 20000 parts once they are expanded. Nothing was charged.
-- HINT: Use each of them fewer times.
----
SELECT (SELECT (SELECT (SELECT (SELECT (SELECT (SELECT (SELECT (SELECT (SELECT 1)))))))));
-- UnsupportedSqlError at 80: too many subqueries within each other
-- DETAIL: Expressions may hold subqueries 8 deep. Nothing was charged.
-- HINT: Join the inner ones in FROM.
----
SELECT name FROM shops WHERE name IN (SELECT name FROM shops WHERE name IN (SELECT name FROM shops WHERE name IN (SELECT name FROM shops WHERE name IN (SELECT name FROM shops WHERE name IN (SELECT name FROM shops WHERE name IN (SELECT name FROM shops WHERE name IN (SELECT name FROM shops WHERE name IN (SELECT name FROM shops WHERE name IN (SELECT name FROM shops WHERE name IN ('a'))))))))));
-- UnsupportedSqlError at 350: too many subqueries within each other
-- DETAIL: Expressions may hold subqueries 8 deep. Nothing was charged.
-- HINT: Join the inner ones in FROM.
