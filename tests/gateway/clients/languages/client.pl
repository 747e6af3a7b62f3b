# DBI with DBD::Pg: perl client.pl PORT USER all|only QUESTION..., the password in PGPASSWORD; prints JSON.
use strict;
use warnings;
use DBI;
use JSON::PP;

my ($port, $user, $what, @questions) = @ARGV;
my $source = "dbi:Pg:host=127.0.0.1;port=$port;dbname=shop;options='-c dp_replay=off'";
my $db = DBI->connect($source, $user, $ENV{PGPASSWORD}, { RaiseError => 0, PrintError => 0, AutoCommit => 1 })
    or die $DBI::errstr;

sub answer {
    my ($sql) = @_;
    my $rows = $db->selectall_arrayref($sql);
    return { rows => $rows } if defined $rows;
    return {
        sqlstate => $db->state,
        message  => $db->pg_error_field('message_primary'),
        detail   => $db->pg_error_field('message_detail'),
        hint     => $db->pg_error_field('message_hint'),
    };
}

my %said = (answers => [map { answer($_) } @questions]);
if ($what eq 'all') {
    my $counted = $db->prepare('SELECT count(*) AS n FROM visits WHERE page = ? AND age < ?');
    $said{counted} = [map { $counted->execute('home', 48); 0 + $counted->fetchrow_array } 1 .. 2];
    $said{title} = $db->selectrow_array('SELECT title FROM pages WHERE page = ?', undef, 'shop');
    $said{kinds} = $db->selectrow_hashref('SELECT big, huge, list, names, span, flag FROM kinds ORDER BY id LIMIT 1');
    $said{schema} = $db->selectall_arrayref(
        'SELECT column_name, data_type FROM information_schema.columns '
        . 'WHERE table_schema = ? AND table_name = ? ORDER BY ordinal_position', undef, 'public', 'visits');
    $db->begin_work;
    $said{inside} = 0 + $db->selectrow_array('SELECT count(*) FROM pages');
    $db->rollback;
    my $columns = $db->column_info(undef, 'public', 'visits', '%')->fetchall_arrayref({});
    $said{columns} = { map { $_->{COLUMN_NAME} => [$_->{TYPE_NAME}, $_->{NULLABLE}] } @$columns };
    $said{tables} = [sort map { $_->{pg_table} } grep { $_->{pg_schema} eq 'public' }
        @{ $db->table_info(undef, 'public', '%', 'TABLE')->fetchall_arrayref({}) }];
    $said{key} = [$db->primary_key(undef, 'public', 'pages')];
}
$db->disconnect;
print JSON::PP->new->canonical->allow_blessed->encode(\%said), "\n";
