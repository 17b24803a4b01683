"""Models of how people vote and nominate, by role. ``ai.elections`` says what they mean.

A model is written as its terms, each with its coefficient.
"""

from collections.abc import Mapping

#: The log-odds of Ja, by role and place in the election (outside the pair, its President, its Chancellor).
BALLOTS: Mapping[str, Mapping[str, str]] = {
    "liberal": {
        "outside": """
            one -1.7564, my_ja@r2 7.0221, bel_p -2.8397, @tr2free 3.9231, in_the_middle@r1 2.2069,
            good_p@late_free 0.4066, in_the_middle@r2 1.6944, bel_next@tr1 1.8622, pub_p -2.4724,
            last_bad@tr0zone 1.1493, pub_me@tr0 1.3027, my_ja 2.1914, L@tr0 -0.0917, together_good 0.3603,
            dist_me@late_free 0.3333, alive6@tr1 1.2854, L4@zone -0.5524, good_p 0.3839, bel_next@r1 -2.1189,
            my_ja@zone -2.7628, @tr0zone 0.7432, pub_next@late_free 1.8277, alive6@tr2zone 0.9788,
            inv_pair_bad -2.2739, prevfail@tr0 -0.8488, bel_max@tr0zone -1.3849, last_good@tr2free -0.8731,
            prev_ja@r2 2.3831, pub_me@r2 2.0571, last_bad@r2 -0.57, dist_me@tr0 0.4505, conf_c 1.1717,
            alive6@tr0 -0.7772, prevfail@late_free 0.5234, L -0.152, bel_c -1.2417, bel_p@tr2free 1.402,
            pub_p@tr2free 2.1522, new_c@r3 0.3548
        """,
        "president": """
            one 2.5156, F@late -0.1825, pub_max -1.0824, good_p@late_free 0.9003, last_good@late -0.6358,
            hit_c@late -4.5128, pub_p -3.0007, bel_c@late_free -3.2492, @tr2free 2.1316, F5 0.8447,
            L@zone -0.2736, new_c 0.595
        """,
        "chancellor": """
            one 3.024, @late -2.6689, @tr2free 3.2457, pub_p@late -2.3026, good_p@late_free 0.551,
            new_p@r3 -1.79, L -0.2762, bel_next@late_free 1.7114, bel_p@late -2.8253, prev_ja@zone 1.1836,
            together_good 0.56, bad_p@tr0 -0.419
        """,
    },
    "fascist": {
        "outside": """
            one -1.5644, my_ja@r2 4.8277, @tr2free 3.2306, bel_p@tr0 -1.8146, in_the_middle@r1 1.4698,
            good_p 0.442, L -0.1483, hc@zone 1.4993, bel_max@late_free -3.0429, next_me@late_free -0.6902,
            in_the_middle@r2 1.1119, bel_next@late_free 2.7633, prevfail@late_free 1.1992, my_ja 3.3947,
            own1 0.3792, last_bad@zone 0.4062, clash_p@late -0.3642, good_c@late 0.2115,
            inv_bad@late_free -1.0286, new_p@late_free -0.7315, bad_p@late_free -0.6952, nconf@tr0 -0.6669,
            fp@tr0zone 0.5482, conf_c 1.0276, next_me@r1 1.2752, dist_me@tr0 0.6363, bel_p -2.0174,
            bel_c@zone 1.3702, inv_my_good 0.7022, L@r3 -1.2273, last_good@r3 1.1916, L4@zone -0.5027,
            my_ja@late -1.9033, next_me@tr0zone 0.5466, pub_me@late_free 1.1765, next_me@tr1 -0.4898
        """,
        "president": """
            one 3.6396, bad_p@late -0.6197, good_p@late_free 1.0104, @late -2.1717, bel_min@late_free -4.0215,
            alive6 0.952, bel_p@tr0 -1.8829, new_c@late_free 1.0237, prev_ja@tr1 2.7715,
            last_good@tr0 -0.9151, prev_ja@tr2zone 2.4189, together_good 0.9882
        """,
        "chancellor": """
            one 3.0041, @late -2.8917, bel_p@late_free -3.8924, @tr2free 2.7703, bel_p@late -2.6676,
            @r3 -1.9673, F5 1.7278, new_c@tr1 0.8828, together_good 0.7151, prev_ja@zone 1.1009,
            L@late -0.3663, good_p 0.475
        """,
    },
    "hitler": {
        "outside": """
            one -1.3457, @tr2free 3.2087, my_ja@r2 5.5461, pub_p -4.7886, in_the_middle@r1 1.9161,
            good_p@late_free 0.6416, in_the_middle@r2 0.8559, last_bad@tr0zone 1.3923, my_ja 1.948,
            next_me@late -0.6397, alive6@tr0 -1.474, bad_p@late_free -0.4657, conf_c 1.0559,
            bel_p@zone 1.8847, good_p@tr0zone 0.6643, pub_next@late_free 2.591, L@tr0 -0.1381,
            pub_c@late_free -1.8319, L4@zone -0.4925, together_good 0.3101, prev_ja@r2 1.9828
        """,
        "president": """
            one 2.9211, @zone -2.6815, last_good@late -0.8304, pub_p@late_free -1.5204,
            pub_next@late_free 2.8081, bad_p@late_free -1.2835, good_p@late_free 1.22, last_bad@tr0zone 0.8376
        """,
        "chancellor": """
            one 1.9986, pub_p -2.9794, last_good@late -0.9463, @tr2free 2.9814, dist_me@r1 2.17,
            good_p@late_free 1.409, F@late_free -0.7052, L -0.4304, F5 1.2795, pub_c@tr1 2.581,
            pub_next 2.0914
        """,
    },
}

#: The log-weight of a nominee, by role.
NOMINATIONS: Mapping[str, str] = {
    "liberal": """
        before_president -2.1967, d4@r1 2.4531, d4@r2 1.5522, with_good 0.3746, new@r3 1.5155,
        d3@late_free 0.7425, gap@late -2.7203, next2@r3 -1.348, lastgov_good 1.731, bad@late_free -0.927,
        with_good@late_free 0.6153, prev_c@late 0.3901, before_president@late 1.9883, d1@r2 -2.0082,
        next2@r1 -2.1339, with_bad@late_free 0.8824, inv_bad@late_free -1.1536, next2@late_free 0.2836,
        good@late_free 0.2434, ja@zone -1.1097
    """,
    "fascist": """
        before_president -0.5628, next2@tr0 -0.2391, d4@r1 3.538, d3@late_free 0.8206, d4@r2 2.7026,
        d4@r3 1.5358, with_good@late_free 0.9683, bad@late_free -0.9138, best@late 0.2997, prev_c 0.4647,
        new@r3 1.6697, new@tr2 -1.1142, lastgov 0.8819, ja@late_free -1.2472, inv_me_good 1.2271, fasc -0.268,
        d3@r1 1.5088, bad@tr2 -0.5089
    """,
    "hitler": """
        before_president -1.2209, next2 -0.4569, d4@r1 3.1729, with_good@late_free 1.291,
        d4@late_free -0.8486, before_president@zone 0.7839, bad@late_free -1.4254, best@late 0.3596,
        inv_good@zone 1.2059, d4@r2 2.0501, d4@r3 1.4824, prev_c 0.455, conf 0.8692, with_bad@late_free 0.9346
    """,
}
