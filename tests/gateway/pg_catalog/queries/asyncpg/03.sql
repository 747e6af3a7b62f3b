SELECT
set_config('jit', $1, false)
