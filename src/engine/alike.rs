//! Actions of a kernel's list that have the same text: they are one action.

use crate::engine::executor::Frame;
use crate::engine::fast::{Fast, GaveUp};
use crate::engine::hash::mix;
use crate::engine::notation;
use crate::engine::walk::{Place, Walk};
use crate::program::Program;
use crate::program::kernel::{Entry, FuncId};
use std::sync::atomic::Ordering;

impl Fast {
    /// Of the actions that were just listed, the numbers of those that differ in text; nothing when all do.
    ///
    /// Of those with one text the first that is legal is kept. When they lead to different states the plain engine says what is
    /// wrong.
    pub fn distinct(
        &self,
        program: &Program,
        entry: Entry,
        frame: &mut Frame,
    ) -> Result<Option<Vec<usize>>, GaveUp> {
        self.differing(program, entry, entry.play, frame)
    }

    /// How often texts were compared.
    pub fn often_told_apart(&self) -> u64 {
        self.told_apart.load(Ordering::Relaxed)
    }

    /// As [`Fast::distinct`], with what plays the actions of the list.
    fn differing(
        &self,
        program: &Program,
        entry: Entry,
        play: FuncId,
        frame: &mut Frame,
    ) -> Result<Option<Vec<usize>>, GaveUp> {
        let Some(alike) = entry.counting.and_then(|c| c.alike) else {
            return Ok(None);
        };
        self.told_apart.fetch_add(1, Ordering::Relaxed);
        let room = self.kernel.room;
        let kept = room.kept as usize;
        let mut control = [0; 8];
        control.copy_from_slice(&frame.mem[kept..kept + 8]);
        let mut list = std::mem::take(&mut frame.list);
        let mut texts = std::mem::take(&mut frame.texts);
        list.clear();
        list.extend_from_slice(self.listed(frame));
        texts.clear();
        let mut walk = Walk::new(room.words as usize);
        let mut places: Vec<Place> = Vec::new();
        let mut result = Ok(None);
        while let Some(place) = walk.place(&list) {
            place.write(&list, frame, room.path as usize);
            places.push(place);
            if let Err(why) = self.call(alike.text, frame) {
                result = Err(why);
                break;
            }
            self.take_back(frame);
            let at = room.text as usize;
            let text = &frame.mem[at + 1..][..frame.mem[at] as usize];
            let key = notation::key(program, text.iter().map(|w| *w as u32));
            texts.push((key, texts.len()));
        }
        if result.is_ok() && some_alike(&texts, &mut frame.met) {
            texts.sort_unstable();
            let first = self.first_of_each(play, &texts, (&list, &places), frame);
            result = first.map(Some);
        }
        frame.mem[kept..kept + 8].copy_from_slice(&control);
        (frame.list, frame.texts) = (list, texts);
        result
    }

    /// How many actions the position in memory has, which an entry is for. What was changed on the way may still have to be taken back.
    pub fn legal(&self, program: &Program, entry: Entry, frame: &mut Frame) -> Result<u64, GaveUp> {
        self.call(entry.counting.ok_or(GaveUp)?.count, frame)?;
        let many = frame.mem[self.kernel.room.tally as usize];
        if many <= 1 || !self.doubtful(frame) {
            return Ok(many);
        }
        self.take_back(frame);
        let total = self.list(entry.list, frame)?;
        let numbers = self.distinct(program, entry, frame)?;
        Ok(numbers.map_or(total, |n| n.len()) as u64)
    }

    /// As [`Fast::legal`] of the position in another kernel's memory, and in that of this one, which has the same past.
    pub fn legal_of(
        &self,
        program: &Program,
        from: &Frame,
        frame: &mut Frame,
    ) -> Result<u64, GaveUp> {
        self.copy_state(from, frame);
        let entry = self.entry(program, frame)?;
        self.legal(program, entry, frame)
    }

    /// Kernels of one program keep states in the same words.
    fn copy_state(&self, from: &Frame, frame: &mut Frame) {
        let kept = ..self.kernel.room.kept as usize;
        frame.mem[kept].copy_from_slice(&from.mem[kept]);
    }

    /// As [`Fast::distinct`] of actions that another kernel of the program listed: its memory, and that of this one, which has the
    /// same past.
    pub fn distinct_of(
        &self,
        program: &Program,
        lister: &Fast,
        from: &Frame,
        frame: &mut Frame,
    ) -> Result<Option<Vec<usize>>, GaveUp> {
        // And they have the same room for lists.
        let room = self.kernel.room;
        self.copy_state(from, frame);
        let entry = self.entry(program, frame)?;
        let list = lister.listed(from);
        frame.mem[room.moves as usize..][..list.len()].copy_from_slice(list);
        for at in [room.moves_used, room.moves_count] {
            frame.mem[at as usize] = from.mem[at as usize];
        }
        // What another kernel lists need not be legal.
        let alike = entry.counting.and_then(|c| c.alike);
        let play = alike.map_or(entry.play, |alike| alike.apply);
        self.differing(program, entry, play, frame)
    }

    fn first_of_each(
        &self,
        play: FuncId,
        texts: &[(u64, usize)],
        (list, places): (&[u64], &[Place]),
        frame: &mut Frame,
    ) -> Result<Vec<usize>, GaveUp> {
        let path = self.kernel.room.path as usize;
        let kept = self.kernel.room.kept as usize;
        let before = frame.mem[..kept].to_vec();
        let mut numbers = Vec::with_capacity(texts.len());
        for same in texts.chunk_by(|a, b| a.0 == b.0) {
            if let [(_, one)] = same {
                numbers.push(*one);
                continue;
            }
            let mut led_to: Option<u64> = None;
            for (_, nth) in same {
                places[*nth].write(list, frame, path);
                if !self.play(play, frame)? {
                    continue;
                }
                let state = frame.mem[..kept].iter().fold(0, |h, w| mix(h ^ *w));
                frame.mem[..kept].copy_from_slice(&before);
                match led_to {
                    None => {
                        led_to = Some(state);
                        numbers.push(*nth);
                    }
                    Some(first) if first == state => {}
                    Some(_) => return Err(GaveUp),
                }
            }
        }
        numbers.sort_unstable();
        Ok(numbers)
    }
}

/// Whether two texts have the same key. The table may hold anything.
fn some_alike(texts: &[(u64, usize)], met: &mut Vec<u64>) -> bool {
    let places = (2 * texts.len()).next_power_of_two();
    met.clear();
    met.resize(places, 0);
    texts.iter().any(|(key, _)| {
        // Nought says that there is none.
        let key = (*key).max(1);
        let mut at = key as usize & (places - 1);
        while met[at] != 0 && met[at] != key {
            at = (at + 1) & (places - 1);
        }
        std::mem::replace(&mut met[at], key) == key
    })
}
