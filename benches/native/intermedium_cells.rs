//! The cells of one colour of the Intermedium board, and tables of the ways between them.

const CELLS: usize = 35;
/// The city; it has the same number for both.
pub const CITY: usize = 1;

/// What a step adds to a cell: up right, up left, down right, down left. The opposite of `d` is `3 - d`.
pub const STEPS: [i32; 4] = [4, 3, -3, -4];
const SIDEWAYS: [i32; 4] = [1, -1, 1, -1];

const fn column(cell: usize) -> i32 {
    (2 * cell as i32 + 1) % 7
}

const fn row(cell: usize) -> i32 {
    (2 * cell as i32 + 1) / 7
}

const fn on_board(column: i32, row: i32) -> bool {
    column >= 0 && column < 7 && row >= 0 && row < 10
}

/// The cell one step on, if there is one.
const fn next(cell: usize, way: usize) -> Option<usize> {
    let up = if way < 2 { 1 } else { -1 };
    if on_board(column(cell) + SIDEWAYS[way], row(cell) + up) {
        Some((cell as i32 + STEPS[way]) as usize)
    } else {
        None
    }
}

/// Whether a stack of some stones still in hand may stop over on a cell: a corner has no way out.
const fn corner(cell: usize) -> bool {
    (row(cell) == 0 || row(cell) == 9) && (column(cell) == 0 || column(cell) == 6)
}

/// `WAYS[last][heading][cell]`: how many ways go on (two bits), and which (two bits each); `last` is 1 for the last stone.
pub static WAYS: [[[u8; 64]; 4]; 2] = {
    let mut ways = [[[0; 64]; 4]; 2];
    let mut i = 0;
    while i < 2 * 4 * CELLS {
        let (last, heading, cell) = (i / CELLS / 4, i / CELLS % 4, i % CELLS);
        let (mut way, mut n, mut packed) = (0, 0, 0);
        while way < 4 {
            if let Some(to) = next(cell, way)
                && way + heading != 3
                && (last == 1 || !corner(to))
            {
                packed |= (way as u8) << (2 + 2 * n);
                n += 1;
            }
            way += 1;
        }
        ways[last][heading][cell] = packed | n;
        i += 1;
    }
    ways
};

/// The cells from which a stack may begin, by way.
pub const FIRST: [u64; 4] = {
    let mut first = [0; 4];
    let mut i = 0;
    while i < 4 * CELLS {
        if let Some(to) = next(i / 4, i % 4)
            && !corner(to)
        {
            first[i % 4] |= 1 << (i / 4);
        }
        i += 1;
    }
    first
};

/// The cells beside a cell, as the other player numbers them.
pub static BESIDE: [u64; 64] = {
    let mut beside = [0; 64];
    let mut cell = 0;
    while cell < CELLS {
        let (x, y) = (column(cell), row(cell));
        let around = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)];
        let mut i = 0;
        while i < 4 {
            let (x, y) = around[i];
            if on_board(x, y) {
                beside[cell] |= 1 << ((69 - (7 * y + x)) / 2);
            }
            i += 1;
        }
        cell += 1;
    }
    beside
};

/// `ON[last][digit][heading * 64 + cell]`: the next heading and cell, by a digit to the base of six; so each of one, two or
/// three ways is equally likely, and how many there are need not be known.
pub static ON: [[[u8; 256]; 6]; 2] = {
    let mut on = [[[0; 256]; 6]; 2];
    let mut i = 0;
    while i < 2 * 6 * 4 * CELLS {
        let (last, digit) = (i / CELLS / 24, i / CELLS / 4 % 6);
        let (heading, cell) = (i / CELLS % 4, i % CELLS);
        let packed = WAYS[last][heading][cell];
        let n = (packed & 3) as usize;
        if n > 0 {
            let way = packed >> (2 + 2 * (digit * n / 6)) & 3;
            on[last][digit][heading * 64 + cell] =
                way << 6 | (cell as i32 + STEPS[way as usize]) as u8;
        }
        i += 1;
    }
    on
};

/// `CONES[steps][way][cell]`: in the opening, the cells that a stack may come to with a step and so many steps after it;
/// nothing if the board is too short or too narrow.
pub static CONES: [[[u64; 64]; 2]; 10] = {
    let mut cones = [[[0; 64]; 2]; 10];
    let mut i = 0;
    while i < 10 * 2 * CELLS {
        let (steps, way, cell) = (i / CELLS / 2, i / CELLS % 2, i % CELLS);
        if let Some(to) = next(cell, way)
            && row(to) as usize + steps <= 9
        {
            cones[steps][way][cell] |= 1 << to;
            if steps > 0 {
                cones[steps][way][cell] |= cones[steps - 1][0][to] | cones[steps - 1][1][to];
            }
        }
        i += 1;
    }
    cones
};
