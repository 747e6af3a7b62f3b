-- top-k
SELECT `t`.`k0` AS `page`, COUNT(*) AS `score` FROM (SELECT `t`.`k0`, `t`.`unit` FROM (SELECT `t_`.`page` AS `k0`, `t_`.`uid` AS `unit` FROM `visits` AS `t_` WHERE NOT `t_`.`uid` IS NULL AND `t_`.`page` IN ('a', 'b', 'e', 'z')) AS `t` GROUP BY `t`.`k0`, `t`.`unit`) AS `t` GROUP BY `t`.`k0`;

-- histogram
SELECT `t`.`k0` AS `page`, COUNT(*) AS `score` FROM (SELECT `t`.`k0`, `t`.`unit` FROM (SELECT `t_`.`page` AS `k0`, `t_`.`uid` AS `unit` FROM `visits` AS `t_` WHERE NOT `t_`.`uid` IS NULL AND ((`t_`.`age` >= 18) AND (`t_`.`age` <= 65)) AND `t_`.`page` IN ('a', 'b', 'e', 'z')) AS `t` GROUP BY `t`.`k0`, `t`.`unit`) AS `t` GROUP BY `t`.`k0`;

-- median
SELECT `t`.`value` AS `age`, COUNT(*) AS `score` FROM (SELECT CAST(`t`.`value` AS INT64) - CAST('18' AS INT64) AS `value` FROM (SELECT CASE WHEN `t`.`value` < 18 THEN CAST('18' AS INT64) WHEN `t`.`value` > 80 THEN CAST('80' AS INT64) ELSE `t`.`value` END AS `value` FROM (SELECT `t_`.`age` AS `value`, `t_`.`id` AS `unit` FROM `people` AS `t_` WHERE NOT `t_`.`id` IS NULL AND NOT `t_`.`age` IS NULL) AS `t`) AS `t`) AS `t` GROUP BY `t`.`value`;

-- having
SELECT `t`.`k0` AS `page`, COUNT(*) AS `score` FROM (SELECT `t`.`k0`, `t`.`unit` FROM (SELECT `t_`.`page` AS `k0`, `t_`.`uid` AS `unit` FROM `visits` AS `t_` WHERE NOT `t_`.`uid` IS NULL AND `t_`.`page` IN ('a', 'b', 'e', 'z')) AS `t` GROUP BY `t`.`k0`, `t`.`unit`) AS `t` GROUP BY `t`.`k0`;
